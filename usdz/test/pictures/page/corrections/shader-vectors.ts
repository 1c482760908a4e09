import { ShaderChunk } from 'three'

/**
 * Makes three derive tangents from texture coordinates as MikkTSpace, which glTF names, and OpenUSD's renderer do: of unit
 * length and perpendicular. Those of three are neither where a texture is stretched or sheared, so that bumps are flatter
 * along one side.
 */
export function deriveUnitTangents(): void {
  const whole = ShaderChunk.normalmap_pars_fragment
  const start = whole.indexOf('mat3 getTangentFrame(')
  const end = whole.indexOf('#endif', start)
  if (start < 0 || end < 0) throw new Error('three derives tangents elsewhere')
  ShaderChunk.normalmap_pars_fragment = whole.slice(0, start) + unitFrame + whole.slice(end)
}

/** T is the derivative of the position by u, on the plane of the normal; B is to the left of it, unless mirrored. */
const unitFrame = /* glsl */ `mat3 getTangentFrame( vec3 position, vec3 normal, vec2 uv ) {
  vec3 right = dFdx( position );
  vec3 up = dFdy( position );
  vec2 uvRight = dFdx( uv );
  vec2 uvUp = dFdy( uv );
  float side = sign( uvRight.x * uvUp.y - uvRight.y * uvUp.x );
  vec3 along = side * ( right * uvUp.y - up * uvRight.y );
  along -= normal * dot( along, normal );
  float size = length( along );
  vec3 tangent = size > 0.0 ? along / size : vec3( 0.0 );
  float facing = sign( dot( up, cross( normal, right ) ) );
  return mat3( tangent, side * facing * cross( normal, tangent ), normal );
}
`

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
