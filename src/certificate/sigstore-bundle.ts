import { type Envelope, envelopeJson } from './dsse.ts';

const MEDIA_TYPE = 'application/vnd.dev.sigstore.bundle.v0.3+json';

/**
 * The same envelope as a Sigstore bundle v0.3 (sigstore/protobuf-specs, `sigstore_bundle.proto`), signed with the
 * vendor's own key: no certificate, no transparency log. `fingerprint` tells a verifier which key to use. `cosign
 * verify-blob-attestation --key vendor.pub --bundle report.sigstore.json --insecure-ignore-tlog --type
 * https://in-toto.io/attestation/test-result/v0.1 report.json` reads it; without a network, cosign 3 also needs a
 * `--trusted-root`.
 */
export function encodeBundle(envelope: Envelope, fingerprint: string): string {
  const bundle = {
    mediaType: MEDIA_TYPE,
    verificationMaterial: { publicKey: { hint: fingerprint } },
    dsseEnvelope: envelopeJson(envelope),
  };
  return `${JSON.stringify(bundle, null, 2)}\n`;
}
