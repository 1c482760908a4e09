import { expect, test } from 'vitest'
import { bomText, packageComponent, partComponent } from './bom.ts'

const cairn = () => packageComponent({ name: 'cairn-server', version: '1.2.3', license: 'Apache-2.0' })
const others = () => [
  packageComponent({ name: '@a/b', version: '2.0.0', license: 'MIT OR ISC' }, [
    { name: 'OpenSSL', version: '3.5.8', license: 'Apache-2.0', cpe: 'openssl:openssl' },
  ]),
  packageComponent({ name: 'c', version: '1.0.0', license: 'its own' }),
  partComponent({ name: 'Places', license: 'CC-BY-4.0', isData: true }, 'cairn-server'),
]

test('an SBOM names a package and the libraries inside it as scanners look for them', async () => {
  const { metadata, components } = JSON.parse(await bomText(cairn(), others(), '1700000000'))
  expect(metadata).toMatchObject({ timestamp: '2023-11-14T22:13:20.000Z', component: { version: '1.2.3' } })
  const of = (name: string) => components.find((one: { name: string }) => one.name === name)
  expect(of('@a/b')).toMatchObject({ purl: 'pkg:npm/%40a/b@2.0.0', licenses: [{ expression: 'MIT OR ISC' }] })
  expect(of('@a/b').components).toEqual([
    expect.objectContaining({ cpe: 'cpe:2.3:a:openssl:openssl:3.5.8:*:*:*:*:*:*:*', version: '3.5.8' }),
  ])
  expect(of('Places')).toMatchObject({ type: 'data', licenses: [{ license: { id: 'CC-BY-4.0' } }] })
})

test('the same contents, in any order, give the same text', async () => {
  expect(await bomText(cairn(), others().toReversed(), '1')).toBe(await bomText(cairn(), others(), '1'))
})
