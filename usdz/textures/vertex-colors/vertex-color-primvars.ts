import type { Notes } from '../../report.ts'
import type { Material } from '../../scene/materials/material.ts'
import type { Geometry, MeshPart } from '../../scene/scene.ts'
import type { TextureFiles } from '../texture-files.ts'

/**
 * Lets surfaces read the vertex colours of their meshes. Colours are multiplied by the base colour here, since a shader
 * network cannot do it. Beside a texture they cannot be shown, which is noted.
 */
export async function multiplyVertexColors(
  parts: readonly MeshPart[],
  files: TextureFiles,
  notes: Notes,
): Promise<void> {
  const multiplied = new Map<Material, Map<Geometry, Geometry>>()
  for (const part of parts) {
    const { material, geometry } = part
    if (!material || !geometry.colors || geometry.colors.every((value) => value === 1)) continue
    if (material.baseColorTexture && (await files.inspect(material.baseColorTexture.image))) {
      notes.leftOut('vertex_colors', 'Vertex colours of textured materials are written, but not shown.')
      continue
    }
    material.vertexColors = true
    const known = multiplied.get(material) ?? new Map<Geometry, Geometry>()
    multiplied.set(material, known)
    part.geometry = known.get(geometry) ?? times(geometry, material)
    known.set(geometry, part.geometry)
  }
}

function times(geometry: Geometry, { baseColor, opacity }: Material): Geometry {
  const { colors, opacities } = geometry
  if (baseColor.every((value) => value === 1) && opacity === 1) return geometry
  return {
    ...geometry,
    colors: colors!.map((value, i) => value * baseColor[i % 3]!),
    ...(opacities && { opacities: opacities.map((value) => value * opacity) }),
  }
}
