import { expect, test } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';

const PROXY = 'http://proxy.example:3128';

test.each([
  ['https://api.example.com/api/v1', { HTTPS_PROXY: PROXY }, PROXY],
  ['https://api.example.com/api/v1', { https_proxy: PROXY }, PROXY],
  ['http://api.example.com/api/v1', { HTTPS_PROXY: PROXY }, null],
  ['http://api.example.com/api/v1', { HTTP_PROXY: PROXY }, PROXY],
  ['https://api.example.com/api/v1', { HTTPS_PROXY: '' }, null],
  ['https://api.example.com/api/v1', { HTTPS_PROXY: PROXY, NO_PROXY: 'other.com, .example.com' }, null],
  ['https://api.example.com/api/v1', { HTTPS_PROXY: PROXY, NO_PROXY: 'ample.com' }, PROXY],
  ['https://api.example.com:8443/api/v1', { HTTPS_PROXY: PROXY, no_proxy: 'api.example.com:8443' }, null],
  ['https://api.example.com:8443/api/v1', { HTTPS_PROXY: PROXY, no_proxy: 'api.example.com:443' }, PROXY],
  ['https://api.example.com/api/v1', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, null],
  ['http://127.0.0.1:8080/api/v1', { HTTP_PROXY: PROXY }, null],
  ['http://[::1]:8080/api/v1', { HTTP_PROXY: PROXY }, null],
] as const)('%s with %j goes by %s', (baseUrl, env, proxy) => {
  expect(environmentProxy(baseUrl, env)).toBe(proxy);
});
