import {
  KHRMaterialsAnisotropy,
  KHRMaterialsClearcoat,
  KHRMaterialsDiffuseTransmission,
  KHRMaterialsDispersion,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsIridescence,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsSheen,
  KHRMaterialsSpecular,
  KHRMaterialsTransmission,
  KHRMaterialsUnlit,
  KHRMaterialsVariants,
  KHRMaterialsVolume,
} from '@gltf-transform/extensions'
import { givenModel } from '../content/models.ts'
import type { Feature } from './feature.ts'
import { ball, bands, bumps, checks, painted, texture } from './models/solids.ts'

const unread = 'GLTFLoader does not read it'

export const extensions: Feature[] = [
  {
    name: '`KHR_materials_unlit`',
    as: '`emissiveColor`, on a surface that is black, metallic and occluded, so that it reflects nothing',
    how: 'approximated',
    notes: ['unlit'],
    glb: painted(async (material, model) => {
      material.setExtension('KHR_materials_unlit', model.document.createExtension(KHRMaterialsUnlit).createUnlit())
      material.setBaseColorFactor([1, 1, 1, 1]).setBaseColorTexture(await texture(model, checks))
    }),
  },
  {
    name: '`KHR_materials_pbrSpecularGlossiness`',
    as: '`diffuseColor`, `metallic`, `roughness`',
    how: 'approximated',
    notes: ['specular_glossiness'],
    unjudged: unread,
    glb: painted((material, model) => {
      const glossy = model.document.createExtension(KHRMaterialsPBRSpecularGlossiness).createPBRSpecularGlossiness()
      glossy.setDiffuseFactor([0.1, 0.4, 0.2, 1]).setSpecularFactor([0.6, 0.5, 0.3]).setGlossinessFactor(0.7)
      material.setExtension('KHR_materials_pbrSpecularGlossiness', glossy)
    }),
  },
  {
    name: '`KHR_materials_emissive_strength`',
    as: '`emissiveColor` above 1',
    how: 'exact',
    glb: painted((material, model) => {
      const strong = model.document.createExtension(KHRMaterialsEmissiveStrength).createEmissiveStrength()
      material
        .setEmissiveFactor([0.1, 0.2, 0.3])
        .setExtension('KHR_materials_emissive_strength', strong.setEmissiveStrength(4))
    }),
  },
  {
    name: '`KHR_materials_clearcoat`',
    as: '`clearcoat`, `clearcoatRoughness`',
    how: 'exact',
    glb: painted((material, model) => {
      const coat = model.document.createExtension(KHRMaterialsClearcoat).createClearcoat()
      material
        .setRoughnessFactor(0.8)
        .setExtension('KHR_materials_clearcoat', coat.setClearcoatFactor(1).setClearcoatRoughnessFactor(0.1))
    }),
  },
  {
    name: '`KHR_materials_clearcoat` with textures',
    as: '`clearcoat`, `clearcoatRoughness`',
    how: 'exact',
    glb: painted(async (material, model) => {
      const coat = model.document.createExtension(KHRMaterialsClearcoat).createClearcoat()
      const image = await texture(model, bands)
      coat
        .setClearcoatFactor(1)
        .setClearcoatTexture(image)
        .setClearcoatRoughnessFactor(0.5)
        .setClearcoatRoughnessTexture(image)
      material.setRoughnessFactor(0.8).setExtension('KHR_materials_clearcoat', coat)
    }),
  },
  {
    name: '`KHR_materials_clearcoat` with a normal texture',
    as: 'nothing',
    how: 'left out',
    notes: ['clearcoat_normal'],
    glb: painted(async (material, model) => {
      const coat = model.document.createExtension(KHRMaterialsClearcoat).createClearcoat()
      coat.setClearcoatFactor(1).setClearcoatNormalTexture(await texture(model, bumps))
      material.setRoughnessFactor(0.8).setExtension('KHR_materials_clearcoat', coat)
    }),
    // In `realitykit` only the MaterialX network reads the texture.
    misread: /finds 0 textures$/,
  },
  {
    name: '`KHR_materials_ior`',
    as: '`ior`',
    how: 'exact',
    glb: painted((material, model) => {
      material.setExtension('KHR_materials_ior', model.document.createExtension(KHRMaterialsIOR).createIOR().setIOR(2))
    }),
  },
  {
    name: '`KHR_materials_specular`',
    as: '`ior`, or the specular workflow',
    how: 'approximated',
    notes: ['specular'],
    glb: painted((material, model) => {
      const specular = model.document.createExtension(KHRMaterialsSpecular).createSpecular()
      material.setExtension(
        'KHR_materials_specular',
        specular.setSpecularFactor(0.3).setSpecularColorFactor([1, 0.5, 0.2]),
      )
    }),
  },
  {
    name: '`KHR_materials_transmission`',
    as: '`opacity`',
    how: 'approximated',
    notes: ['transmission'],
    glb: painted((material, model) => {
      const clear = model.document
        .createExtension(KHRMaterialsTransmission)
        .createTransmission()
        .setTransmissionFactor(0.9)
      material
        .setBaseColorFactor([0.6, 0.9, 0.8, 1])
        .setRoughnessFactor(0.1)
        .setExtension('KHR_materials_transmission', clear)
    }),
  },
  {
    name: '`KHR_materials_volume`',
    as: '`diffuseColor`',
    how: 'approximated',
    notes: ['volume', 'transmission'],
    glb: painted((material, model) => {
      const clear = model.document
        .createExtension(KHRMaterialsTransmission)
        .createTransmission()
        .setTransmissionFactor(1)
      const volume = model.document.createExtension(KHRMaterialsVolume).createVolume()
      volume.setThicknessFactor(1).setAttenuationColor([0.2, 0.8, 0.4]).setAttenuationDistance(1)
      material.setBaseColorFactor([1, 1, 1, 1]).setRoughnessFactor(0.1)
      material.setExtension('KHR_materials_transmission', clear).setExtension('KHR_materials_volume', volume)
    }),
  },
  {
    name: '`KHR_materials_volume` with a thickness texture',
    as: '`diffuseColor`, tinted for each pixel',
    how: 'approximated',
    notes: ['volume', 'transmission'],
    glb: painted(async (material, model) => {
      const clear = model.document
        .createExtension(KHRMaterialsTransmission)
        .createTransmission()
        .setTransmissionFactor(1)
      const volume = model.document.createExtension(KHRMaterialsVolume).createVolume()
      volume.setThicknessFactor(1).setAttenuationColor([0.9, 0.2, 0.1]).setAttenuationDistance(0.5)
      volume.setThicknessTexture(await texture(model, bands))
      material.setBaseColorFactor([1, 1, 1, 1]).setRoughnessFactor(0.1)
      material.setExtension('KHR_materials_transmission', clear).setExtension('KHR_materials_volume', volume)
    }),
  },
  {
    name: '`KHR_materials_diffuse_transmission`',
    as: 'nothing',
    how: 'left out',
    notes: ['diffuse_transmission'],
    unjudged: unread,
    glb: painted((material, model) => {
      const thin = model.document.createExtension(KHRMaterialsDiffuseTransmission).createDiffuseTransmission()
      material.setExtension('KHR_materials_diffuse_transmission', thin.setDiffuseTransmissionFactor(0.5))
    }),
  },
  {
    name: '`KHR_materials_dispersion`',
    as: 'nothing',
    how: 'left out',
    notes: ['dispersion'],
    glb: painted((material, model) => {
      const spread = model.document.createExtension(KHRMaterialsDispersion).createDispersion().setDispersion(5)
      material.setExtension('KHR_materials_dispersion', spread)
    }),
  },
  {
    name: '`KHR_materials_sheen`',
    as: '`diffuseColor`',
    how: 'approximated',
    notes: ['sheen'],
    glb: painted((material, model) => {
      const sheen = model.document.createExtension(KHRMaterialsSheen).createSheen()
      material.setRoughnessFactor(0.9).setBaseColorFactor([0.3, 0.05, 0.1, 1])
      material.setExtension(
        'KHR_materials_sheen',
        sheen.setSheenColorFactor([0.8, 0.5, 0.5]).setSheenRoughnessFactor(0.5),
      )
    }),
  },
  {
    name: '`KHR_materials_iridescence`',
    as: 'the mean colour of the film',
    how: 'approximated',
    notes: ['iridescence'],
    glb: painted((material, model) => {
      const film = model.document.createExtension(KHRMaterialsIridescence).createIridescence()
      material
        .setMetallicFactor(1)
        .setRoughnessFactor(0.2)
        .setExtension('KHR_materials_iridescence', film.setIridescenceFactor(1))
    }),
  },
  {
    name: '`KHR_materials_anisotropy`',
    as: '`roughness`',
    how: 'approximated',
    notes: ['anisotropy'],
    glb: painted((material, model) => {
      const brushed = model.document
        .createExtension(KHRMaterialsAnisotropy)
        .createAnisotropy()
        .setAnisotropyStrength(0.8)
      material.setMetallicFactor(1).setExtension('KHR_materials_anisotropy', brushed)
    }),
  },
  {
    name: '`KHR_materials_variants`',
    as: 'a variant set of the default prim, in which Quick Look offers a choice',
    how: 'exact',
    // Readers count the materials of the selected variant, the report those of all; TinyUSDZ does not compose.
    misread: /materials/,
    glb: async () => {
      const model = givenModel()
      const variants = model.document.createExtension(KHRMaterialsVariants)
      const paint = (name: string, red: number, blue: number) =>
        model.document.createMaterial(name).setBaseColorFactor([red, 0.2, blue, 1]).setMetallicFactor(0)
      const list = variants.createMappingList()
      for (const [name, material] of [
        ['Red', paint('Red', 0.8, 0.1)],
        ['Blue', paint('Blue', 0.1, 0.8)],
      ] as const) {
        list.addMapping(variants.createMapping().setMaterial(material).addVariant(variants.createVariant(name)))
      }
      const first = list.listMappings()[0]!.getMaterial()!
      model.node('Shoe', model.mesh('Shoe', ball(model, first).setExtension('KHR_materials_variants', list)))
      return await model.glb()
    },
  },
]
