import { Enums, Models, Serialize, SPDX, Spec, Validation } from '@cyclonedx/cyclonedx-library'
import type { Part } from './part.ts'

type Manifest = { name: string; version: string; license?: string; description?: string }

/** A package of npm as a component, with what is inside it. */
export function packageComponent({ name, version, license, description }: Manifest, parts: Part[] = []) {
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    version,
    bomRef: `${name}@${version}`,
    purl: `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`,
    ...(description ? { description } : {}),
  })
  if (license) component.licenses.add(licenseOf(license))
  for (const part of parts) component.components.add(partComponent(part, component.bomRef.value!))
  return component
}

/** @param within the component that contains it: the same library may be in several, in different versions */
export function partComponent({ name, version, license, cpe, isData = false }: Part, within: string) {
  const type = isData ? Enums.ComponentType.Data : Enums.ComponentType.Library
  const component = new Models.Component(type, name, {
    bomRef: `${within}#${name}`,
    ...(version ? { version } : {}),
    ...(cpe && version ? { cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*` as const } : {}),
    ...(isData ? {} : { purl: `pkg:generic/${encodeURIComponent(name.toLowerCase())}${version ? `@${version}` : ''}` }),
  })
  component.licenses.add(licenseOf(license))
  return component
}

function licenseOf(text: string): Models.License {
  if (SPDX.isSupportedSpdxId(text)) return new Models.SpdxLicense(text)
  if (/ (OR|AND|WITH) |^LicenseRef-/.test(text)) return new Models.LicenseExpression(text)
  return new Models.NamedLicense(text)
}

/**
 * The JSON of a bill of materials after CycloneDX 1.6. The same contents give the same text.
 * @param seconds the time of the release
 * @throws if it does not fit the schema of CycloneDX
 */
export async function bomText(of: Models.Component, components: Iterable<Models.Component>, seconds: string) {
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: of, timestamp: new Date(Number(seconds) * 1000) }),
    components: new Models.ComponentRepository(components),
  })
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  const text = `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
  const wrong = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
  if (wrong !== null) throw new Error(`The SBOM does not fit the schema of CycloneDX: ${JSON.stringify(wrong)}`)
  return text
}
