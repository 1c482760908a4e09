/** The processors that there are archives and Debian packages for, by Node's name, and Debian's name for them. */
export const DEBIAN_ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const

export type Cpu = keyof typeof DEBIAN_ARCHITECTURES

/** @throws a sentence for a processor that there is no archive for */
export function cpuOf(name: string): Cpu {
  if (name === 'x64' || name === 'arm64') return name
  throw new Error(`There is no archive for "${name}": use --cpu x64 or --cpu arm64`)
}
