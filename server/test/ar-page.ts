import { expect } from 'vitest'
import { convertBy } from './content/conversions.ts'
import { boxGlb } from './content/glb.ts'
import type { Caller } from './service.ts'

/** Opens the AR page of a converted model as an iPhone and on a screen, with the script that draws it and what that loads. */
export async function openArPage(caller: Caller): Promise<void> {
  const { body: made } = await convertBy(caller, { name: 'chair.glb', bytes: boxGlb() })
  const { id } = made.originalFile
  const phone = await caller.get(`/ar/${id}?on=apple`)
  expect(phone.status).toBe(200)
  const [, usdz] = /rel="ar" href="([^"]+)"/.exec(phone.body)!
  expect((await fetch(usdz!.replaceAll('&amp;', '&'))).status).toBe(200)

  const { body } = await caller.get(`/ar/${id}?on=screen`)
  expect(body).toContain('<h1>chair</h1>')
  const [, script] = /<script type="module" src="([^"]+)">/.exec(body) ?? []
  expect(script, 'the script of the AR page').toBeDefined()
  const found = await scriptsFrom(caller, script!)
  expect(found.filter(({ status }) => status !== 200)).toEqual([])
  expect(found.map(({ path }) => path).join('\n')).toMatch(/\/viewer-.*\.js/)
}

/** A script and all scripts that it imports, directly or not. */
async function scriptsFrom(caller: Caller, first: string): Promise<{ path: string; status: number }[]> {
  const paths = [first]
  const found: { path: string; status: number }[] = []
  for (const path of paths) {
    const { status, body } = await caller.get(path)
    found.push({ path, status })
    for (const [, name] of String(body).matchAll(/["'`](\.\/[\w-]+\.js)["'`]/g)) {
      const next = new URL(name!, `http://x${path}`).pathname
      if (!paths.includes(next)) paths.push(next)
    }
  }
  return found
}
