import type { RequirementId } from '../catalogue/requirement.ts';
import type { Profile } from '../profile/profile.ts';
import type { Condensed } from './condensed.ts';
import type { Exchange } from './exchange.ts';

/** Version of the trace format: readers refuse another major. */
export const TRACE_FORMAT = '1.0';

/** First line of a trace: everything that a judge needs besides the exchanges. */
export interface TraceHeader {
  readonly type: 'header';
  readonly format: string;
  readonly suite: { readonly name: string; readonly version: string };
  /** What drove the target: `certify`, `check`, `load`, `property` … */
  readonly command: string;
  readonly baseUrl: string;
  /** The normalised profile, without secrets (values of extra headers are replaced). */
  readonly profile: Profile;
  readonly profileDigest: string;
  readonly catalogueDigest: string;
  /** Aliases of the keys that the run had, by role. */
  readonly keys: { readonly full: readonly string[]; readonly restricted: boolean; readonly revoked: boolean };
  /** Requirements that were selected to be judged. */
  readonly selection: readonly RequirementId[];
  /** Experiments of the plan, and those that were left out, with the reason. */
  readonly experiments: readonly PlannedExperiment[];
  /** Wall clock in µs since the Unix epoch when the run's monotonic clock was 0. */
  readonly epoch: number;
  /** 1 in real time; any other run says so everywhere and never certifies. */
  readonly scale: number;
  readonly seed: number;
  /** The first eight characters of the key that the run made up from its seed. Absent: none was sent. */
  readonly madeUpKey?: string;
  readonly nonce: string | null;
  readonly runtime: { readonly node: string; readonly platform: string };
  /**
   * How many runs of certify this installation has made on this target within a day, including this one; absent: not
   * known.
   */
  readonly attempts?: number;
  /**
   * How many values the interface description rules out, of which odd requests are drawn, too; absent: none was given.
   */
  readonly ruledOut?: number;
}

export interface PlannedExperiment {
  readonly id: string;
  readonly requirements: readonly RequirementId[];
  readonly keys: readonly string[];
  /** At most this many requests. */
  readonly requests: number;
  /** Planned start and length in seconds from the start of the run. */
  readonly start: number;
  readonly seconds: number;
  /** Null if it is run; else why it is not (in words that say what to add to the profile or environment). */
  readonly omitted: string | null;
}

/** Written before requests are sent, so a killed run still shows which requests may have been counted. */
export interface IntentLine {
  readonly type: 'intent';
  /** The requests that are about to be sent: all that is known before an answer. */
  readonly exchanges: readonly Intent[];
}

export type Intent = Omit<Exchange, 'answered' | 'status' | 'failure' | 'headers' | 'truncated'>;

/**
 * Something that happened besides the exchanges: an interruption, a preflight finding, a clock step. `failure-shown`
 * names a requirement whose failure was shown during the run, or `limits` if one of those on limits is broken and only
 * the complete run shows which; its `time` is the moment up to which the answers prove it.
 */
export interface NoteLine {
  readonly type: 'note';
  readonly time: number;
  readonly code:
    | 'preflight'
    | 'interrupted'
    | 'clock-step'
    | 'experiment-started'
    | 'experiment-ended'
    | 'experiment-failed'
    | 'failure-shown';
  readonly experiment: string | null;
  readonly text: string;
}

/** Last line of a complete trace. A trace without it was cut short, and is judged as such. */
export interface TraceFooter {
  readonly type: 'footer';
  readonly exchanges: number;
  readonly intents: number;
  /** `complete`, or `interrupted` if the run ended early but in order. */
  readonly outcome: 'complete' | 'interrupted';
  readonly ended: number;
  /**
   * Head of the hash chain over all lines before: h(0) = SHA-256 of '', h(i) = SHA-256 of h(i−1) in hex, then line i
   * (without its newline).
   */
  readonly chain: string;
}

export type TraceLine = TraceHeader | ({ readonly type: 'exchange' } & Exchange) | IntentLine | NoteLine | TraceFooter;

/**
 * A trace in memory, in order of `sent`. `unanswered` holds intents with no exchange (the run was killed meanwhile).
 */
export interface Trace {
  readonly header: TraceHeader;
  readonly exchanges: readonly Exchange[];
  readonly unanswered: readonly Intent[];
  readonly notes: readonly NoteLine[];
  readonly footer: TraceFooter | null;
  /** A summary of exchanges that are not stored; absent if all are. */
  readonly condensed?: Condensed;
}
