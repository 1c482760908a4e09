import type { Notes } from '../../report.ts'
import type { Material } from '../../scene/materials/material.ts'
import type { Geometry, MeshPart } from '../../scene/scene.ts'
import type { TextureFiles } from '../texture-files.ts'

/**
 * Lets surfaces read the vertex colours of the meshes they are on. The colours are multiplied by the base colour here,
 * since a shader network cannot; beside a texture it cannot show them at all, which is noted.
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
      notes.leftOut('vertex_colors', 'Vertex colours beside a texture are written, but no surface can show both.')
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
