/**
 * Whether the host of a URL is one of those that are reserved for documentation, where no deployment is (RFC 2606).
 * Tools for development serve local ones under .test.
 */
export function isPlaceholder(url: string): boolean {
  const { hostname } = new URL(url);
  return /(^|\.)(example\.(com|net|org)|example|invalid)\.?$/i.test(hostname);
}
