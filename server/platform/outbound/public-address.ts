import ipaddr from 'ipaddr.js'

/** Global unicast addresses of IPv6 (RFC 4291 §2.4). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * Whether an IP address, as a resolver returns it, is on the public internet. Private, loopback, link-local, shared
 * (RFC 6598), multicast, documentation and reserved addresses are not, nor are IPv6 forms that embed another address
 * (mapped, translated, 6to4, Teredo): those could lead back inside.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(...GLOBAL_UNICAST)
}
