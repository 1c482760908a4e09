/** Whether a text is a host rule: `files.example.org` or `*.example.org` (subdomains only), either with a port such as `:8443`. */
export const isHostRule = (text: string): boolean =>
  /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9](:[1-9]\d{0,4})?$/.test(text) &&
  Number(text.split(':')[1] ?? 443) < 65536

/** Whether the rules allow the host and port of an address. The port of a rule defaults to 443. */
export function allowsHost(rules: readonly string[], { hostname, port }: URL): boolean {
  return rules.some((rule) => {
    const [name = '', rulePort = ''] = rule.split(':')
    if ((rulePort === '443' ? '' : rulePort) !== port) return false
    return matches(name, hostname)
  })
}

/** Whether a text is a rule for internal hosts: a host rule, `localhost`, a name without dots, or an IP address such as `10.0.0.5:8080` or `[::1]`. */
export const isInsideRule = (text: string): boolean => {
  if (isHostRule(text)) return true
  if (!URL.canParse(`http://${text}`)) return false
  const { host, port } = new URL(`http://${text}`)
  // The parser drops the default port 80 and everything but the host and port.
  return host === text || (port === '' && `${host}:80` === text)
}

/** Whether the rules for internal hosts allow an address. The port of a rule defaults to that of the scheme. */
export function allowsInside(rules: readonly string[], url: URL): boolean {
  return rules.some((rule) => {
    const [, name = '', rulePort = ''] = /^(.*?)(?::(\d+))?$/.exec(rule)!
    const usual = url.protocol === 'http:' ? '80' : '443'
    if ((rulePort || usual) !== (url.port || usual)) return false
    return matches(name, url.hostname)
  })
}

/** Whether the name of a rule, possibly with a wildcard, covers a host. */
const matches = (name: string, host: string): boolean =>
  name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length >= name.length : host === name
