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

/** What an operator may name of hosts inside: as above, or `localhost`, a name without dots, or an address such as `10.0.0.5:8080` or `[::1]`. */
export const isInsideRule = (text: string): boolean => {
  if (isHostRule(text)) return true
  if (!URL.canParse(`http://${text}`)) return false
  const { host, port } = new URL(`http://${text}`)
  // The parser leaves out the port 80, and everything that is no host and port.
  return host === text || (port === '' && `${host}:80` === text)
}

/** Whether an address is of a host inside that the rules name. Without a port in the rule it is the usual one of http or https. */
export function allowsInside(rules: readonly string[], url: URL): boolean {
  return rules.some((rule) => {
    const [, name = '', rulePort = ''] = /^(.*?)(?::(\d+))?$/.exec(rule)!
    const usual = url.protocol === 'http:' ? '80' : '443'
    if ((rulePort || usual) !== (url.port || usual)) return false
    return name.startsWith('*.')
      ? url.hostname.endsWith(name.slice(1)) && url.hostname.length >= name.length
      : url.hostname === name
  })
}
