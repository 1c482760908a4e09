/** What an operator may name: `files.example.org`, `*.example.org` (what lies below it, not itself), either with `:8443`. */
export const isHostRule = (text: string): boolean =>
  /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9](:[1-9]\d{0,4})?$/.test(text) &&
  Number(text.split(':')[1] ?? 443) < 65536

/** Whether an address is of a host, and of a port, that the rules name. Without a port in the rule it is 443. */
export function allowsHost(rules: readonly string[], { hostname, port }: URL): boolean {
  return rules.some((rule) => {
    const [name = '', rulePort = ''] = rule.split(':')
    if ((rulePort === '443' ? '' : rulePort) !== port) return false
    return name.startsWith('*.')
      ? hostname.endsWith(name.slice(1)) && hostname.length >= name.length
      : hostname === name
  })
}
