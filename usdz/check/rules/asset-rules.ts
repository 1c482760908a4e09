import { layersOfPrim } from '../../layers/read-composition.ts'
import type { Rep } from '../../layers/read-crate.ts'
import { samplesOf, textOf, tokensOf } from '../../layers/read-values.ts'
import type { Stage, StageProperty } from '../../layers/stage.ts'
import type { PackageLayer } from '../../stage/usd-prim.ts'
import { typeCode } from '../../usd/crate/types.ts'
import type { Report } from './rules.ts'

/** The extensions of textures. */
const readableImage = /\.(jpg|png)$/i

/**
 * Checks the files a layer references: they are in the package, and textures have a supported format. Paths are relative
 * to the folder of the layer.
 */
export function checkAssets({ stage, name: layer }: PackageLayer, files: ReadonlySet<string>, report: Report): void {
  const folder = layer.slice(0, layer.lastIndexOf('/') + 1)
  const check = (place: () => string, asset: string, isTexture: boolean) => {
    if (asset === '') return
    const inside = pathInside(folder, asset)
    if (inside === undefined) {
      report('ARKitPackageEncapsulationChecker', `${place()} names ${asset}, which is outside the package.`)
    } else if (!files.has(inside) && !files.has(asset)) {
      const alike = [...files].find((file) => file.toLowerCase() === inside.toLowerCase())
      const hint = alike === undefined ? '' : `: ${alike} has other capital letters`
      report('MissingReferenceChecker', `${place()} names ${asset}, which is not in the package${hint}.`)
    }
    if (isTexture && !readableImage.test(asset)) {
      report('TextureChecker', `${place()} names ${asset}, which is neither .jpg nor .png.`)
    }
  }
  for (const layerPath of tokensOf(stage.crate, stage.metadata.get('subLayers'))) {
    check(() => `The layer ${layer}`, layerPath, false)
  }
  for (const prim of stage.prims) {
    for (const asset of layersOfPrim(stage.crate, prim.fields)) check(() => prim.path, asset, false)
    const isConnectable = prim.type === 'Shader' || prim.type === 'Material' || prim.type === 'NodeGraph'
    for (const property of prim.own.values()) {
      if (property.isRelationship) continue
      const isTexture = isConnectable && property.name.startsWith('inputs:')
      for (const asset of assetsOf(stage, property)) check(() => property.path, asset, isTexture)
    }
  }
}

/** Returns all files an attribute references: by its value, array or time samples. */
export function assetsOf({ crate }: Stage, property: StageProperty): string[] {
  const { value, samples } = property
  const isAsset = (rep: Rep) => rep.code === typeCode.asset
  const list = (rep: Rep) => (rep.array ? tokensOf(crate, rep) : [textOf(crate, rep) ?? ''])
  const timed = samples && property.typeName.startsWith('asset') ? (samplesOf(crate, samples)?.values ?? []) : []
  return [...(value ? [value] : []), ...timed].filter(isAsset).flatMap(list)
}

/** Resolves a path in the package; undefined when it leads out of it. */
export function pathInside(folder: string, asset: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^[/\\]/i.test(asset)) return undefined
  const steps: string[] = []
  // "a.usdz[b.png]" is a file in a nested package.
  for (const step of `${folder}${asset.split('[', 1)[0]}`.split('/')) {
    if (step === '..' && steps.pop() === undefined) return undefined
    if (step !== '..' && step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}
