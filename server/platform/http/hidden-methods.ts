/** A part of a path between slashes, in the order in which the router tries them. */
const FIXED = 0
const MIXED = 1
const PARAMETER = 2
const REST = 3

type Node = { kind: number; methods: Set<string>; fixed: Map<string, Node>; open: Map<string, Node> }

const kindOf = (part: string): number =>
  part === '*' ? REST : !part.includes(':') ? FIXED : /^:\w+$/.test(part) ? PARAMETER : MIXED

const nodeOf = (kind: number): Node => ({ kind, methods: new Set(), fixed: new Map(), open: new Map() })

/**
 * The methods of other paths that a path hides, because the router prefers it for some URL that matches both: `/players`
 * hides those of `/:id`. @param routes the methods of each path @returns those that a path hides
 */
export function hiddenMethods(routes: Map<string, Set<string>>): (path: string) => Set<string> {
  const root = nodeOf(FIXED)
  for (const [path, methods] of routes) {
    let node = root
    for (const part of path.split('/')) {
      const kind = kindOf(part)
      const [children, key] = kind === FIXED ? [node.fixed, part] : [node.open, kind === PARAMETER ? ':' : part]
      if (!children.has(key)) children.set(key, nodeOf(kind))
      node = children.get(key)!
    }
    for (const method of methods) node.methods.add(method)
  }

  return (path) => {
    const parts = path.split('/')
    const hidden = new Set<string>()
    visit(root, 0, false)
    return hidden

    /** @param isPreferred whether the path is preferred to that of the node, which is decided by the first different part */
    function visit(node: Node, at: number, isPreferred: boolean) {
      if (at === parts.length || node.kind === REST) {
        if (isPreferred) for (const method of node.methods) hidden.add(method)
        return
      }
      const part = parts[at]!
      const kind = kindOf(part)
      if (kind === FIXED) {
        const same = node.fixed.get(part)
        if (same) visit(same, at + 1, isPreferred)
      } else if (isPreferred) for (const child of node.fixed.values()) visit(child, at + 1, true)
      for (const child of node.open.values()) {
        const isSame = child.kind === kind && kind !== MIXED
        if (isPreferred || isSame || child.kind >= kind) visit(child, at + 1, isPreferred || !isSame)
      }
    }
  }
}
