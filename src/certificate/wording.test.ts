import { expect, test } from 'vitest';
import { attestationText } from './wording.ts';

test('the commands that check a certificate name each file by its path, as one word', () => {
  const files = ['envelope.json', 'report.sigstore.json', 'envelope.json.sig'].map((name) => `/runs/my run/${name}`);
  const text = attestationText({ result: 'PASSED', shortcomings: [], files, fingerprint: '' }, 'keys/acme');
  expect(text).toContain(
    "ssh-keygen -Y verify -f keys/acme.allowed_signers -I acme -n size-chart-conformance -s '/runs/my run/envelope.json.sig' < '/runs/my run/envelope.json'",
  );
  expect(text).toMatch(/--key keys\/acme\.pub --bundle '\/runs\/my run\/report\.sigstore\.json'/);
  expect(text).toMatch(/ '\/runs\/my run\/report\.json'$/m);
});
