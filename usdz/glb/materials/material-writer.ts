import type { Document, Material, TextureInfo } from '@gltf-transform/core'
import { KHRTextureTransform } from '@gltf-transform/extensions'
import type { Notes } from '../../report.ts'
import type { ComposedStage } from '../../stage/compose-stage.ts'
import { type UsdPrim, values } from '../../stage/usd-prim.ts'
import { extrasOf, nameOf } from '../names.ts'
import { writeBaseColor } from './base-color.ts'
import { materialKey } from './material-key.ts'
import { writeReflection } from './reflection.ts'
import { type ShaderInput, shaderReader, type TextureInput } from './shader-inputs.ts'
import { writeEmission, writeExtensions } from './surface-extensions.ts'
import type { TextureStore } from './texture-store.ts'

/** A material of the GLB, and what it needs of meshes. */
export type WrittenMaterial = {
  material: Material
  /** The primvars that are TEXCOORD_0, TEXCOORD_1 … */
  uvNames: readonly string[]
  /** The primvar that is COLOR_0, and its value for meshes without it. */
  colors: VertexColors | undefined
  readsOpacities: boolean
}

/** Colours of a mesh that a material reads. */
export type VertexColors = { name: string; fallback: readonly number[] }

/** What the parts of a material are written with. */
export type MaterialPlan = {
  document: Document
  material: Material
  store: TextureStore
  notes: Notes
  input(name: string): ShaderInput | undefined
  /** The constant value of an input; undefined when it has another kind of value. */
  constant(name: string): readonly number[] | undefined
  texture(name: string): TextureInput | undefined
  /** Makes a slot sample as a texture input does. */
  sample(info: TextureInfo | null, texture: TextureInput): void
  colors: VertexColors | undefined
  readsOpacities: boolean
}

/** What a mesh has that changes its material. `uvNames` are the primvars that its first coordinates are of. */
export type MaterialUse = { isDoubleSided: boolean; isTranslucent: boolean; uvNames?: readonly string[] }

/** Inputs that may read values of the mesh. */
const ofMesh = ['diffuseColor', 'opacity', 'emissiveColor']

/** What is written of a surface: all that glTF has, or its colour and emission for a preview. */
export type Surface = 'complete' | 'color'

/** Writes the materials that meshes use, each once. */
export function materialWriter(document: Document, store: TextureStore, notes: Notes, contents: Surface) {
  const readers = new Map<ComposedStage, ReturnType<typeof shaderReader>>()
  const readerOf = (stage: ComposedStage) => {
    const reader = readers.get(stage) ?? shaderReader(stage)
    readers.set(stage, reader)
    return reader
  }
  const written = new Map<string, Promise<WrittenMaterial>>()

  const write = async (
    stage: ComposedStage,
    prim: UsdPrim | undefined,
    { isDoubleSided, isTranslucent, uvNames: given = [] }: MaterialUse,
  ): Promise<WrittenMaterial> => {
    const reader = readerOf(stage)
    const material = document
      .createMaterial(prim ? nameOf(prim) : 'Default')
      .setDoubleSided(isDoubleSided)
      .setExtras(prim ? extrasOf(prim) : {})
    const surface = prim && reader.surfaceOf(prim)
    if (prim && values.has(prim, 'outputs:mtlx:surface')) {
      const instead = surface ? ': UsdPreviewSurface is used instead.' : '.'
      notes.leftOut('materialx', `MaterialX networks are left out${instead}`)
    }
    if (!surface) {
      if (prim) notes.leftOut('material', 'Materials without a UsdPreviewSurface are shown in grey.')
      material.setMetallicFactor(0).setRoughnessFactor(0.5)
      // A mesh without a material shows its own colours, which replace this grey.
      if (prim) material.setBaseColorFactor([0.18, 0.18, 0.18, 1])
      else if (isTranslucent) material.setAlphaMode('BLEND')
      const colors = prim ? undefined : { name: 'displayColor', fallback: [1, 1, 1] }
      return { material, uvNames: given, colors, readsOpacities: !prim }
    }
    const uvNames = [...given]
    const input = (name: string): ShaderInput | undefined => {
      const found = reader.input(surface, `inputs:${name}`)
      if ((found?.kind === 'value' && found.isAnimated) || (found?.kind === 'texture' && found.texture.isAnimated)) {
        notes.leftOut('material_animation', 'Animated inputs of materials are shown at rest.')
      }
      const isRead = found?.kind === 'primvar' ? ofMesh.includes(name) : found?.kind !== 'unknown'
      if (isRead) return found
      notes.leftOut('shader', 'Inputs of materials that come from other shaders are left out.')
      return undefined
    }
    const plan: MaterialPlan = {
      document,
      material,
      store,
      notes,
      input,
      constant: (name) => {
        const found = input(name)
        return found?.kind === 'value' ? found.value : undefined
      },
      texture: (name) => {
        const found = input(name)
        return found?.kind === 'texture' ? found.texture : undefined
      },
      sample: (info, texture) => {
        if (!info) return
        if (!uvNames.includes(texture.primvar)) uvNames.push(texture.primvar)
        sampleAs(info, texture, uvNames.indexOf(texture.primvar), document)
        for (const loss of texture.losses) notes.changed('texture_sampling', loss)
      },
      colors: undefined,
      readsOpacities: false,
    }
    await writeBaseColor(plan)
    await writeEmission(plan)
    if (contents === 'complete') {
      await writeReflection(plan)
      await writeExtensions(plan)
    }
    return { material, uvNames, colors: plan.colors, readsOpacities: plan.readsOpacities }
  }

  /** Writes a material of a stage, or what a mesh without one shows. */
  return (stage: ComposedStage, prim: UsdPrim | undefined, use: MaterialUse): Promise<WrittenMaterial> => {
    const isTranslucent = prim === undefined && use.isTranslucent
    const key = JSON.stringify([prim && materialKey(stage, prim), use.isDoubleSided, isTranslucent, use.uvNames ?? []])
    const known = written.get(key) ?? write(stage, prim, { ...use, isTranslucent })
    written.set(key, known)
    return known
  }
}

export type MaterialWriter = ReturnType<typeof materialWriter>

const clampToEdge = 33071
const mirrored = 33648
const repeat = 10497
const wrapModes = { repeat, mirror: mirrored, clamp: clampToEdge } as const

function sampleAs(info: TextureInfo, texture: TextureInput, texCoord: number, document: Document): void {
  info.setTexCoord(texCoord).setWrapS(wrapModes[texture.wrapS]).setWrapT(wrapModes[texture.wrapT])
  if (!texture.transform) return
  const { offset, rotation, scale } = texture.transform
  const transform = document.createExtension(KHRTextureTransform).createTransform()
  transform
    .setOffset([...offset])
    .setRotation(rotation)
    .setScale([...scale])
  info.setExtension('KHR_texture_transform', transform)
}
