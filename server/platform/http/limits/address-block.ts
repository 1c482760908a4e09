import { isIPv6 } from 'node:net'

/** The key by which an address is counted: an IPv4 address itself; the /64 of an IPv6 address, which belongs to one subscriber (RFC 6177). */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped) return mapped
  const [head = '', tail] = canonical(address).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Expands an RFC 5952 text without a zone, as the URL standard writes it. */
const canonical = (address: string) => new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1)
