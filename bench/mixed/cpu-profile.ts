/** The format of V8's profiler: a tree of calls, and the node of each sample. */
export type CpuProfile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}
/** Shares of the non-idle time, from 0 to 1: in the function itself, and including its calls. */
export type Share = { name: string; self: number; total: number }

/** CPU time by function and by package, largest first. @param most number of entries of each */
export function sharesOf(profile: CpuProfile, most = 25): { functions: Share[]; packages: Share[] } {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const micros = new Map<number, number>()
  for (const [i, id] of profile.samples.entries()) micros.set(id, (micros.get(id) ?? 0) + profile.timeDeltas[i]!)
  const busy = profile.nodes
    .filter(({ callFrame }) => callFrame.functionName !== '(idle)')
    .reduce((sum, { id }) => sum + (micros.get(id) ?? 0), 0)

  const by = (nameOf: (node: CpuProfile['nodes'][number]) => string): Share[] => {
    const shares = new Map<string, Share>()
    const above: string[] = []
    const visit = (id: number) => {
      const node = nodes.get(id)!
      const name = nameOf(node)
      const own = (micros.get(id) ?? 0) / busy
      above.push(name)
      for (const one of new Set(above)) {
        const share = shares.get(one) ?? { name: one, self: 0, total: 0 }
        shares.set(one, share)
        share.total += own
        if (one === name) share.self += own
      }
      for (const child of node.children ?? []) visit(child)
      above.pop()
    }
    visit(profile.nodes[0]!.id)
    shares.delete('(idle)')
    shares.delete('(root)')
    return [...shares.values()].sort((a, b) => b.self - a.self).slice(0, most)
  }
  return { functions: by(functionOf), packages: by(packageOf) }
}

const functionOf = ({ callFrame: { functionName, url, lineNumber } }: CpuProfile['nodes'][number]) =>
  url ? `${functionName || '(anonymous)'} ${shortened(url)}:${lineNumber + 1}` : functionName || '(anonymous)'

const shortened = (url: string) => url.replace(/^.*\/node_modules\//, '').replace(/^.*?\/(server|bench)\//, '$1/')

function packageOf({ callFrame: { functionName, url } }: CpuProfile['nodes'][number]): string {
  if (!url) return functionName.startsWith('(') ? functionName : 'V8'
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  const [, name] = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  return name ?? shortened(url).split('/').slice(0, 3).join('/').replace(/\.ts$/, '')
}

/** Formats a table of shares in per cent. */
export const tableOf = (shares: Share[]): string =>
  shares
    .map(
      ({ self, total, name }) =>
        `${(self * 100).toFixed(1).padStart(6)} ${(total * 100).toFixed(1).padStart(6)}  ${name}`,
    )
    .join('\n')
