import type { Feature } from './feature.ts'
import { bands, bumps, checks, holed, painted, texture } from './models/solids.ts'

export const materials: Feature[] = [
  {
    name: 'Base colour, metallic and roughness factors',
    as: '`diffuseColor`, `metallic`, `roughness`',
    how: 'exact',
    glb: painted((material) => {
      material.setMetallicFactor(0.8).setRoughnessFactor(0.25)
    }),
  },
  {
    name: 'No material',
    as: 'a material with glTF’s default values',
    how: 'exact',
    glb: async () => {
      const { ball, one } = await import('./models/solids.ts')
      return await one((model) => ball(model))
    },
  },
  {
    name: 'Base colour texture',
    as: '`diffuseColor`, the image unchanged',
    how: 'exact',
    glb: painted(async (material, model) => {
      material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(await texture(model, checks, 'jpeg'))
    }),
  },
  {
    name: 'Base colour texture with a factor',
    as: '`quicklook`: new pixels; `spec`: `inputs:scale`',
    how: 'exact',
    glb: painted(async (material, model) => {
      material.setBaseColorFactor([0.5, 1, 0.6, 1]).setBaseColorTexture(await texture(model, checks))
    }),
  },
  {
    name: 'Metallic-roughness texture',
    as: 'one channel for `metallic`, one for `roughness`',
    how: 'exact',
    glb: painted(async (material, model) => {
      material
        .setMetallicFactor(1)
        .setRoughnessFactor(1)
        .setMetallicRoughnessTexture(await texture(model, bands))
    }),
  },
  {
    name: 'Metallic-roughness texture with factors',
    as: '`quicklook`: new pixels; `spec`: `inputs:scale`',
    how: 'exact',
    glb: painted(async (material, model) => {
      material
        .setMetallicFactor(0.5)
        .setRoughnessFactor(0.7)
        .setMetallicRoughnessTexture(await texture(model, bands))
    }),
  },
  {
    name: 'Normal texture',
    as: '`normal`',
    how: 'exact',
    glb: painted(async (material, model) => {
      material.setNormalTexture(await texture(model, bumps))
    }),
  },
  {
    name: 'Normal scale',
    as: '`quicklook`: new pixels; `spec`: `inputs:scale` and `inputs:bias`',
    how: 'exact',
    glb: painted(async (material, model) => {
      material.setNormalTexture(await texture(model, bumps)).setNormalScale(0.4)
    }),
  },
  {
    name: 'Occlusion texture and strength',
    as: '`occlusion`, the strength as new pixels or `inputs:scale` and `inputs:bias`',
    how: 'exact',
    glb: painted(async (material, model) => {
      material.setOcclusionTexture(await texture(model, bands)).setOcclusionStrength(0.7)
    }),
  },
  {
    name: 'Emissive factor',
    as: '`emissiveColor`',
    how: 'exact',
    glb: painted((material) => {
      material.setEmissiveFactor([0, 0.4, 0.2])
    }),
  },
  {
    name: 'Emissive texture with a factor',
    as: '`emissiveColor`; the factor as new pixels or `inputs:scale`',
    how: 'exact',
    glb: painted(async (material, model) => {
      material.setEmissiveFactor([1, 0.5, 0.5]).setEmissiveTexture(await texture(model, checks))
    }),
  },
  {
    name: 'Alpha mode MASK',
    as: '`opacity` and `opacityThreshold`; in `quicklook`, pixels away from edges are cut off in the image',
    how: 'exact',
    glb: painted(async (material, model) => {
      material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(await texture(model, holed))
      material.setAlphaMode('MASK').setAlphaCutoff(0.6).setDoubleSided(true)
    }),
  },
  {
    name: 'Alpha mode BLEND',
    as: '`opacity`',
    how: 'exact',
    glb: painted(async (material, model) => {
      material
        .setBaseColorFactor([1, 1, 1, 0.8])
        .setBaseColorTexture(await texture(model, holed))
        .setAlphaMode('BLEND')
    }),
  },
  {
    name: 'Alpha mode BLEND without a texture',
    as: '`opacity`',
    how: 'exact',
    glb: painted((material) => {
      material.setBaseColorFactor([0.2, 0.4, 0.9, 0.5]).setAlphaMode('BLEND')
    }),
  },
  {
    name: 'Double-sided',
    as: '`doubleSided` of the mesh',
    how: 'exact',
    glb: async () => {
      const { givenModel } = await import('../content/models.ts')
      const model = givenModel()
      const material = model.document.createMaterial('Sail').setDoubleSided(true).setMetallicFactor(0)
      model.node('Sail', model.mesh('Sail', model.square(material.setBaseColorTexture(await texture(model, checks)))))
      return await model.glb()
    },
  },
]
