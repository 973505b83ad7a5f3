import type { LoadSection } from './load-section.ts';

/** A load run of two instances: one window accepted one request too many. */
export function sampleLoad(rest: Partial<LoadSection> = {}): LoadSection {
  const window = {
    key: 'key-1',
    kind: 'read',
    start: 2_000,
    end: 62_000,
    limit: 100,
    accepted: 100,
    refused: 61,
    overshoot: 0,
    undershoot: 0,
  } as const;
  return {
    scenario: 'boundary',
    seconds: 124.6,
    accounting: { due: 4_840, sent: 4_840, recorded: 4_840, dropped: 0, unanswered: 2 },
    throughput: { sent: 38.8, accepted: 26.1 },
    windows: [
      { ...window, start: 62_000, end: 122_000, accepted: 103, refused: 58, overshoot: 3 },
      window,
      { ...window, key: 'key-2', kind: 'write', limit: 30, accepted: 30, refused: 14 },
    ],
    windowsOmitted: 29,
    latency: [
      { status: 200, count: 3_250, p50: 2.1, p90: 4.4, p95: 6.2, p99: 14.9, p999: 38.2, max: 61 },
      { status: 429, count: 1_588, p50: 1.4, p90: 2.2, p95: 3.1, p99: 7.6, p999: 19, max: 22.5 },
      { status: null, count: 2, p50: 10_000, p90: 10_000, p95: 10_000, p99: 10_000, p999: 10_000, max: 10_000 },
    ],
    bursts: [
      { due: 1_400, requests: 100, spread: 8.4, late: 9.1 },
      { due: 62_300, requests: 110, spread: 9.7, late: 10.2 },
    ],
    ramp: {
      steps: [12, 24, 36, 48, 60, 72, 84].map((rate) => {
        return { rate, requests: rate * 6, p95: rate < 60 ? 4 : rate / 4, refused: rate < 36 ? 0 : rate, failed: 0 };
      }),
      knee: 60,
      refusedFrom: 36,
      failedFrom: null,
    },
    instances: [
      { name: 'i-1', requests: 2_420, clock: null },
      { name: 'i-2', requests: 2_420, clock: { offset: -3.2, uncertainty: 1.1 } },
    ],
    warnings: [],
    ...rest,
  };
}
