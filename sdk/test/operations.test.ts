import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** For programs that speak those formats already: GIS clients, libraries for JSON Web Tokens, and tus. */
const forOthers = /^\/(ogc|\.well-known)\b|^\/api\/upload\/tus/

test('the client has every operation of openapi.json, with its method, and none that is not there', () => {
  const { paths } = JSON.parse(read('../../openapi.json')) as { paths: Record<string, object> }
  const described = Object.entries(paths)
    .filter(([path]) => !forOthers.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))

  const source = ['resources', 'positions']
    .flatMap((folder) =>
      readdirSync(new URL(`../${folder}`, import.meta.url)).map((name) => read(`../${folder}/${name}`)),
    )
    .join('\n')
  const calls = source.matchAll(/\bto\.(\w+)<[^(]*>\(\s*'([^']+)'/g)
  const methodOf: Record<string, string> = {
    list: 'get',
    blob: 'get',
    tagged: 'get',
    postOnce: 'post',
    patchOnce: 'patch',
    putTagged: 'put',
  }
  const called = [...calls].map(([, name, url]) => `${methodOf[name!] ?? name} ${url}`)
  const followed = [...source.matchAll(/\burl: '([^']+)'/g)].map(([, url]) => `get ${url}`)

  expect([...new Set([...called, ...followed])].sort()).toEqual(described.sort())
})
