import { ShaderChunk } from 'three'

/**
 * Has shaders turn the normals of skins by the inverse transpose, as glTF's sample viewer and UsdSkel do; those of three.js
 * use the matrix itself, which is wrong where joints are scaled unevenly.
 */
export function invertSkinnedNormals(): void {
  const theirs = 'objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;'
  if (!ShaderChunk.skinnormal_vertex.includes(theirs))
    throw new Error('three.js turns the normals of skins differently')
  ShaderChunk.skinnormal_vertex = ShaderChunk.skinnormal_vertex.replace(
    theirs,
    `vec3 skinX = skinMatrix[ 0 ].xyz, skinY = skinMatrix[ 1 ].xyz, skinZ = skinMatrix[ 2 ].xyz;
    mat3 skinCofactors = mat3( cross( skinY, skinZ ), cross( skinZ, skinX ), cross( skinX, skinY ) );
    objectNormal = sign( dot( skinX, skinCofactors[ 0 ] ) ) * ( skinCofactors * objectNormal );`,
  )
}
