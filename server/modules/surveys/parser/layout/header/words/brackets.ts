/** `N (NAD83(CSRS) UTM18)` → `N (NAD83 CSRS UTM18)`: brackets in brackets are part of a name. */
export const withFlatBrackets = (header: string): string =>
  header.replace(
    /([([][^()[\]]{0,80})[([]([^()[\]]{1,40})[)\]]([^()[\]]{0,80}[)\]])/g,
    (_, before: string, inside: string, after: string) =>
      `${before} ${inside}${/^[\s)\]]/.test(after) ? '' : ' '}${after}`,
  )
