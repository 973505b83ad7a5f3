import { stringify } from 'yaml';
import type { Profile } from '../profile/profile.ts';
import { quote } from '../replay/curl.ts';
import { LoadError } from './load-error.ts';
import { type LoadHeaders, withoutValues } from './load-headers.ts';
import type { LoadSpec } from './load-spec.ts';

/** The name and size of a run on Kubernetes. */
export interface OperatorRun {
  readonly spec: LoadSpec;
  /** Name of the TestRun, its ConfigMap and its Secret: an RFC 1123 label. */
  readonly name: string;
  readonly namespace: string;
  /** k6 instances, each a pod. */
  readonly instances: number;
  /** What `k6 archive` made of the script, its modules and the specification. */
  readonly archive: Uint8Array;
  /** Such as `2.2.0`. */
  readonly k6Version: string;
}

/** A ConfigMap holds at most so many bytes (https://kubernetes.io/docs/concepts/configuration/configmap). */
const MOST_IN_CONFIG_MAP = 1_048_576;

/**
 * The manifests of a run on k6-operator, as one YAML text: a ConfigMap with the archive, and a TestRun.
 *
 * Keys and the values of headers come from a Secret of the same name, by `envFrom`: the operator hands `env` of the
 * runners on to the initializer as arguments (`-e NAME=value`), where anyone who may list pods can read them, but not
 * `envFrom`. The initializer is given an entry of its own for the same reason, since it else takes over the runners'.
 * The records are the pods' logs, so nothing may clean the pods up before the logs are fetched.
 *
 * Throws a LoadError for a name that Kubernetes would refuse, and for an archive that is too large for a ConfigMap.
 */
export function operatorManifests(run: OperatorRun): string {
  for (const label of [run.name, run.namespace]) requireLabel(label);
  const encoded = Buffer.from(run.archive).toString('base64');
  if (encoded.length > MOST_IN_CONFIG_MAP) {
    throw new LoadError(
      'The archive of the script does not fit into a ConfigMap',
      'Name fewer operations in the profile.',
    );
  }
  const metadata = { name: run.name, namespace: run.namespace };
  const image = `grafana/k6:${run.k6Version}`;
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, binaryData: { 'archive.tar': encoded } };
  const testRun = {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata,
    spec: {
      parallelism: run.instances,
      script: { configMap: { name: run.name, file: 'archive.tar' } },
      arguments: '--log-format=raw',
      initializer: { image },
      runner: { image, envFrom: [{ secretRef: { name: run.name } }] },
    },
  };
  return [configMap, testRun].map((each) => stringify(each, { lineWidth: 0 })).join('---\n');
}

/**
 * What to do with the manifests, line by line, for a shell.
 *
 * @param headers of the profile: their values may be secret, so they go the way of the keys, and the steps have only
 *   the names
 * @param file has the manifests
 * @param merge the command that judges the records, the pods' logs `*.raw`
 */
export function operatorSteps(
  { name, namespace }: Pick<OperatorRun, 'name' | 'namespace'>,
  headers: LoadHeaders,
  file: string,
  merge: string,
): string[] {
  const at = `--namespace ${namespace}`;
  const variables = ['SIZE_CHART_KEYS', ...(hasHeaders(headers) ? ['SIZE_CHART_LOAD_HEADERS'] : [])];
  const lines = variables.map((each) => `${each}=%s\\n`).join('');
  const values = variables.map((each) => `"$${each}"`).join(' ');
  return [
    ...(hasHeaders(headers)
      ? [
          '# once: put the values of the headers of your profile in place of each … (no file here has them)',
          `SIZE_CHART_LOAD_HEADERS=${quote(JSON.stringify(withoutValues(headers)))}`,
        ]
      : []),
    `# once: create a Secret with the keys${hasHeaders(headers) ? ' and headers' : ''} (from this shell's environment; they appear in no argument)`,
    `printf '${lines}' ${values} | kubectl create secret generic ${name} ${at} --from-env-file=/dev/stdin`,
    `kubectl apply -f ${file}`,
    `kubectl wait testrun/${name} ${at} --for=jsonpath='{.status.stage}'=finished --timeout=30m`,
    `for pod in $(kubectl get pods ${at} -l k6_cr=${name},runner=true -o name); do kubectl logs ${at} "$pod" > "$(basename "$pod").raw"; done`,
    `size-chart-conformance ${merge}`,
  ];
}

/** What of the profile the pods would need and the manifests do not have; null: nothing. */
export function notInManifests({ proxy, tls }: Profile['http']): string | null {
  const isSecured = [tls.caFile, tls.certFile, tls.keyFile].some((file) => file !== null);
  const left = [proxy !== null && 'http.proxy', isSecured && 'the files of http.tls'].filter((each) => each !== false);
  if (left.length === 0) return null;
  return `Note       ${left.join(' and ')} of the profile do not reach the pods: the manifests lack them`;
}

function hasHeaders({ all, operations }: LoadHeaders): boolean {
  return Object.keys(all).length + Object.keys(operations).length > 0;
}

function requireLabel(label: string): void {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label)) return;
  throw new LoadError(
    `"${label}" is not a valid name in Kubernetes`,
    'Use lower-case letters, digits and hyphens, at most 63 of them.',
  );
}
