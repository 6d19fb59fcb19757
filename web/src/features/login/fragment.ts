/** The token of a login link stands in the fragment, which no browser sends; it is taken out at once. */
export function takeToken(): string | null {
  const found = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (!found?.[1]) return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  return decodeURIComponent(found[1]);
}

export const hasToken = (): boolean => /(?:^#|&)token=./.test(location.hash);
