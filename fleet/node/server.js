import cluster from 'node:cluster';
import fastifyRateLimit from '@fastify/rate-limit';
import { ThrottlerStorageService } from '@nestjs/throttler/dist/throttler.service.js';
import express from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { slowDown } from 'express-slow-down';
import fastify from 'fastify';
import koaRatelimit from 'koa-ratelimit';
import { RateLimiter } from 'limiter';
import { BurstyRateLimiter, RateLimiterMemory } from 'rate-limiter-flexible';

const WINDOW = 60;
const LIMITS = { read: 100, write: 30 };
const { PORT = '0', KEYS = '', RESTRICTED = '', LIMITER = '' } = process.env;
const accepted = new Set([...KEYS.split(','), RESTRICTED].filter((key) => key !== ''));

/** Says how a budget stands, by middleware that knows `request.budget` and sets the three headers. */
const LIMITERS = {
  'express-rate-limit': (kind) => expressRateLimit(kind),
  'express-rate-limit-skip-failed': (kind) => expressRateLimit(kind, { skipFailedRequests: true }),
  'express-rate-limit-skip-successful': (kind) => expressRateLimit(kind, { skipSuccessfulRequests: true }),
  'express-rate-limit-ip': (kind) => expressRateLimit(kind, { keyGenerator: ({ ip }) => ipKeyGenerator(ip) }),
  'express-rate-limit-trust-proxy': (kind) => {
    app.set('trust proxy', true);
    const keyGenerator = ({ ip, budget }) => `${ipKeyGenerator(ip)} ${budget}`;
    return expressRateLimit(kind, { keyGenerator, validate: false });
  },
  'express-rate-limit-header': (kind) => {
    const keyGenerator = (request) => request.get('x-api-key') ?? request.get('authorization');
    return expressRateLimit(kind, { keyGenerator });
  },
  'express-rate-limit-skip': (kind) =>
    expressRateLimit(kind, { skip: ({ method, path }) => method === 'GET' && path === '/api/v1/service' }),
  'express-rate-limit-one-budget': once(() =>
    expressRateLimit('read', { limit: ({ kind }) => LIMITS[kind], keyGenerator: ({ budget }) => budget.split(' ')[0] }),
  ),
  'express-rate-limit-groups': (kind) => {
    const groups = express.Router();
    for (const group of ['service', 'categories', 'labels']) groups.use(`/api/v1/${group}`, expressRateLimit(kind));
    // What belongs to no group has a limiter, too, and no second one counts what a group has counted.
    const rest = expressRateLimit(kind);
    return groups.use((request, response, next) => (request.rateLimit ? next() : rest(request, response, next)));
  },
  'express-rate-limit-cluster': (kind) => expressRateLimit(kind),
  'express-rate-limit-draft-7': (kind) => expressRateLimit(kind, { legacyHeaders: false, standardHeaders: 'draft-7' }),
  'express-rate-limit-second': (kind) =>
    express.Router().use(expressRateLimit(kind, { windowMs: 1000, limit: 20 }), expressRateLimit(kind)),
  'express-slow-down': (kind) => {
    const slowing = slowDown({
      windowMs: WINDOW * 1000,
      delayAfter: LIMITS[kind],
      delayMs: () => 200,
      keyGenerator: ({ budget }) => budget,
    });
    return (request, response, next) =>
      slowing(request, response, () => {
        const { remaining, resetTime } = request.slowDown;
        tell(response, kind, remaining, resetTime.getTime());
        next();
      });
  },
  'rate-limiter-flexible': (kind) => flexible(new RateLimiterMemory({ points: LIMITS[kind], duration: WINDOW }), kind),
  'rate-limiter-flexible-block': (kind) =>
    flexible(new RateLimiterMemory({ points: LIMITS[kind], duration: WINDOW, blockDuration: WINDOW }), kind),
  'rate-limiter-flexible-evenly': (kind) =>
    flexible(new RateLimiterMemory({ points: LIMITS[kind], duration: WINDOW, execEvenly: true }), kind),
  'rate-limiter-flexible-bursty': (kind) => {
    const steady = new RateLimiterMemory({ points: LIMITS[kind], duration: WINDOW });
    const burst = new RateLimiterMemory({ keyPrefix: 'burst', points: LIMITS[kind] / 10, duration: 10 });
    return flexible(new BurstyRateLimiter(steady, burst), kind);
  },
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
  'fastify-rate-limit': async (kind) => {
    const decide = (await fastifyWith(kind)).createRateLimit();
    return async (request, response, next) => {
      request.routeOptions = {};
      const { isExceeded, remaining, ttl } = await decide(request);
      tell(response, kind, remaining, Date.now() + ttl);
      isExceeded ? response.status(429).json({ error: 'limit' }) : next();
    };
  },
  'fastify-rate-limit-headers': (kind) => fastifyHandler(kind, {}, () => {}),
  'fastify-rate-limit-continue': (kind) => fastifyHandler(kind, { continueExceeding: true }),
  'fastify-rate-limit-ban': (kind) => fastifyHandler(kind, { ban: 2 }),
  'fastify-rate-limit-backoff': (kind) => fastifyHandler(kind, { exponentialBackoff: true }),
  'nestjs-throttler': (kind) => throttler(kind, WINDOW * 1000),
  'nestjs-throttler-short-block': (kind) => throttler(kind, 10_000),
  'nestjs-throttler-no-block': (kind) => throttler(kind, 0),
  'koa-ratelimit': (kind) => {
    const db = new Map();
    const id = ({ request }) => request.budget;
    const decide = koaRatelimit({ driver: 'memory', db, duration: WINDOW * 1000, max: LIMITS[kind], id });
    return async (request, response, next) => {
      const context = { request, set: response.set.bind(response), state: {} };
      await decide(context, next);
      if (context.status) response.status(context.status).json({ error: 'limit' });
    };
  },
};

function expressRateLimit(kind, options) {
  return rateLimit({
    windowMs: WINDOW * 1000,
    limit: LIMITS[kind],
    legacyHeaders: true,
    standardHeaders: false,
    keyGenerator: ({ budget }) => budget,
    handler: (_request, response) => response.status(429).json({ error: 'limit' }),
    ...options,
  });
}

/** One limiter for both kinds. */
function once(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}

/** A Fastify server that lends its limiter; that one looks for the options of a route in each request. */
async function fastifyWith(kind, options) {
  const server = fastify();
  const keyGenerator = ({ budget }) => budget;
  await server.register(fastifyRateLimit, { max: LIMITS[kind], timeWindow: WINDOW * 1000, keyGenerator, ...options });
  return server;
}

/** The handler of @fastify/rate-limit: it sets the headers and throws. Its marker is the time left, in seconds. */
async function fastifyHandler(kind, options, correct = marker) {
  const decide = (await fastifyWith(kind, options)).rateLimit();
  return async (request, response, next) => {
    request.routeOptions = {};
    let refusal;
    await decide(request, response).catch((error) => {
      refusal = error;
    });
    correct(response);
    refusal ? response.status(refusal.statusCode).json({ error: 'limit' }) : next();
  };
}

function marker(response) {
  const left = Number(response.get('X-RateLimit-Reset'));
  response.set('X-RateLimit-Reset', `${Math.floor(Date.now() / 1000) + left}`);
}

/** The storage of @nestjs/throttler. When an admitted request expires it does not say: the marker is a window ahead. */
function throttler(kind, blockDuration) {
  const storage = new ThrottlerStorageService();
  return async (request, response, next) => {
    const limit = LIMITS[kind];
    const result = await storage.increment(request.budget, WINDOW * 1000, limit, blockDuration, 'default');
    const left = result.isBlocked && blockDuration > 0 ? result.timeToBlockExpire : WINDOW;
    tell(response, kind, result.isBlocked ? 0 : limit - result.totalHits, Date.now() + left * 1000);
    result.isBlocked ? response.status(429).json({ error: 'limit' }) : next();
  };
}

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
const app = express();
app.disable('x-powered-by');
const limiters = { read: await make('read'), write: await make('write') };

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
if (LIMITER.endsWith('-cluster') && cluster.isPrimary) {
  cluster.fork();
  cluster.fork();
} else app.listen(Number(PORT), '127.0.0.1');
