/** Whether the host of a URL is one of those that are reserved for documentation and tests, where no deployment is (RFC 2606). */
export function isPlaceholder(url: string): boolean {
  const { hostname } = new URL(url);
  return /(^|\.)(example\.(com|net|org)|example|test|invalid)\.?$/i.test(hostname);
}
