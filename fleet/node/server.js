import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { RateLimiter } from 'limiter';
import { RateLimiterMemory } from 'rate-limiter-flexible';

const WINDOW = 60;
const LIMITS = { read: 100, write: 30 };
const { PORT = '0', KEYS = '', RESTRICTED = '', LIMITER = '' } = process.env;
const accepted = new Set([...KEYS.split(','), RESTRICTED].filter((key) => key !== ''));

/** Says how a budget stands, by middleware that knows `request.budget` and sets the three headers. */
const LIMITERS = {
  'express-rate-limit': (kind) =>
    rateLimit({
      windowMs: WINDOW * 1000,
      limit: LIMITS[kind],
      legacyHeaders: true,
      standardHeaders: false,
      keyGenerator: ({ budget }) => budget,
      handler: (_request, response) => response.status(429).json({ error: 'limit' }),
    }),
  'rate-limiter-flexible': (kind) => flexible(new RateLimiterMemory({ points: LIMITS[kind], duration: WINDOW }), kind),
  'rate-limiter-flexible-block': (kind) =>
    flexible(new RateLimiterMemory({ points: LIMITS[kind], duration: WINDOW, blockDuration: WINDOW }), kind),
  limiter: (kind) => {
    const buckets = new Map();
    return (request, response, next) => {
      const { budget } = request;
      const bucket = buckets.get(budget) ?? new RateLimiter({ tokensPerInterval: LIMITS[kind], interval: 'minute' });
      buckets.set(budget, bucket);
      const allowed = bucket.tryRemoveTokens(1);
      tell(response, kind, allowed ? bucket.getTokensRemaining() : 0, Date.now() + WINDOW * 1000);
      allowed ? next() : response.status(429).json({ error: 'limit' });
    };
  },
};

function flexible(limiter, kind) {
  return (request, response, next) => {
    const answer = (allowed) => (result) => {
      tell(response, kind, result.remainingPoints, Date.now() + result.msBeforeNext);
      allowed ? next() : response.status(429).json({ error: 'limit' });
    };
    limiter.consume(request.budget).then(answer(true), answer(false));
  };
}

function tell(response, kind, remaining, reset) {
  response.set('X-RateLimit-Limit', `${LIMITS[kind]}`);
  response.set('X-RateLimit-Remaining', `${Math.max(0, Math.floor(remaining))}`);
  response.set('X-RateLimit-Reset', `${Math.ceil(reset / 1000)}`);
}

const make = LIMITERS[LIMITER];
if (!make) throw new Error(`LIMITER must be one of ${Object.keys(LIMITERS).join(', ')}`);
const limiters = { read: make('read'), write: make('write') };

const app = express();
app.disable('x-powered-by');
app.use((request, response, next) => {
  const bearer = /^Bearer (.*)$/.exec(request.get('authorization') ?? '')?.[1];
  const key = request.get('x-api-key') ?? bearer ?? '';
  request.kind = request.method === 'GET' ? 'read' : 'write';
  request.budget = `${key} ${request.kind}`;
  request.mayWrite = key !== RESTRICTED;
  if (accepted.has(key)) return limiters[request.kind](request, response, next);
  tell(response, request.kind, LIMITS[request.kind], Date.now() + WINDOW * 1000);
  response.status(401).json({ error: 'key' });
});
// After the limiter: what is no JSON is answered with the three headers, too.
app.use(express.json());
app.use((request, response, next) =>
  request.kind === 'write' && !request.mayWrite ? response.status(403).json({ error: 'permission' }) : next(),
);

const named = (request, response) =>
  typeof request.body?.name === 'string' ? response.json({ id: 1 }) : response.status(400).json({ error: 'name' });
const api = express.Router({ caseSensitive: true, strict: true });
api.get('/service', (_request, response) => response.json({ name: 'charts' }));
api.get('/service/failure', (_request, response) => response.status(500).json({ error: 'failure' }));
api.put('/service', named);
api.get('/categories', ({ query }, response) =>
  query.page === undefined || /^[1-9]\d*$/.test(query.page)
    ? response.json({ items: [] })
    : response.status(400).json({ error: 'page' }),
);
api.put('/categories/1', named);
api.get('/labels/1', (_request, response) => response.json({ id: 1 }));
api.post('/labels', named);
app.use('/api/v1', api);
app.use((_request, response) => response.status(404).json({ error: 'not found' }));
app.use((_error, _request, response, _next) => response.status(400).json({ error: 'body' }));
app.listen(Number(PORT), '127.0.0.1');
