import ipaddr from 'ipaddr.js'

/** What IANA gives out to hosts of the IPv6 internet (RFC 4291 §2.4). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * Whether an IP address, as a resolver gives it, is one of a host on the public internet. Private, loopback,
 * link-local, shared (RFC 6598), multicast, documentation and reserved ones are not, nor IPv6 forms that carry another
 * address within (mapped, translated, 6to4, Teredo): those could lead back inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(...GLOBAL_UNICAST)
}
