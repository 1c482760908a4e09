import type { Crate, CrateSpec, Rep } from './read-crate.ts'
import { pathsOf, textOf, tokensOf } from './read-values.ts'

export type StagePrim = {
  path: string
  parent: string
  type: string
  apiSchemas: string[]
  properties: Map<string, StageProperty>
}
export type StageProperty = {
  path: string
  typeName: string
  value: Rep | undefined
  connections: string[]
  targets: string[]
}

/** A layer as its prims with their properties, in the order of the file. */
export type Stage = { crate: Crate; metadata: Map<string, Rep>; prims: Map<string, StagePrim> }

const primSpec = 6
const pseudoRootSpec = 7

export function stageOf(crate: Crate): Stage {
  const stage: Stage = { crate, metadata: new Map(), prims: new Map() }
  for (const spec of crate.specs) {
    if (spec.type === pseudoRootSpec) stage.metadata = spec.fields
    if (spec.type === primSpec) stage.prims.set(spec.path, primOf(crate, spec))
  }
  let owner = ''
  let prim: StagePrim | undefined
  for (const spec of crate.specs) {
    const dot = spec.path.indexOf('.')
    if (dot < 0) continue
    // The properties of a prim usually stand together.
    if (dot !== owner.length || !spec.path.startsWith(owner)) {
      owner = spec.path.slice(0, dot)
      prim = stage.prims.get(owner)
    }
    prim?.properties.set(spec.path.slice(dot + 1), {
      path: spec.path,
      typeName: textOf(crate, spec.fields.get('typeName')) ?? '',
      value: spec.fields.get('default'),
      connections: pathsOf(crate, spec.fields.get('connectionPaths')),
      targets: pathsOf(crate, spec.fields.get('targetPaths')),
    })
  }
  return stage
}

function primOf(crate: Crate, { path, fields }: CrateSpec): StagePrim {
  return {
    path,
    parent: path.slice(0, path.lastIndexOf('/')) || '/',
    type: textOf(crate, fields.get('typeName')) ?? '',
    apiSchemas: tokensOf(crate, fields.get('apiSchemas')),
    properties: new Map(),
  }
}
