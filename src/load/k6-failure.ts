import type { Failure } from '../trace/exchange.ts';

/** k6's error codes by their hundreds (https://grafana.com/docs/k6/latest/javascript-api/error-codes). */
export function failureOf(code: number, message: string): Failure {
  if (code === 1050 || code === 1211 || /time-?out|deadline exceeded/i.test(message)) return 'timeout';
  if (code === 1212) return 'refused';
  if (code >= 1100 && code < 1200) return 'dns';
  if (code >= 1220 && code < 1230) return 'reset';
  if (code >= 1200 && code < 1300) return /reset|broken pipe|EOF/i.test(message) ? 'reset' : 'unknown';
  if (code >= 1300 && code < 1400) return 'tls';
  if (/EOF|reset|closed/i.test(message)) return 'reset';
  return code >= 1600 ? 'protocol' : /malformed|invalid/i.test(message) ? 'protocol' : 'unknown';
}
