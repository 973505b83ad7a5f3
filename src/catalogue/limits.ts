/** What a key gets in a window (clause 8), in requests: the one place that says so. */
export const LIMITS: Readonly<Record<'read' | 'write', number>> = { read: 100, write: 30 };

/** The window of clause 8, in seconds. */
export const WINDOW_S = 60;
