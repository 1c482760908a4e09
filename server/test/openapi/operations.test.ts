import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../service.ts'

type Operation = { name: string; operationId?: string; tags?: string[] }

let service: Service
let tags: { name: string; description: string }[]
let operations: Operation[]

beforeAll(async () => {
  service = await startService()
  const { body } = await service.anonymous.get('/openapi.json')
  tags = body.tags
  operations = Object.entries(body.paths as Record<string, Record<string, Omit<Operation, 'name'>>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  )
})
afterAll(() => service.stop())

test('every operation has an operationId of a verb and a noun in camelCase', () => {
  expect(operations.length).toBeGreaterThan(100)
  expect(operations.filter(({ operationId }) => !/^[a-z]+([A-Z][a-z]*)+$/.test(operationId ?? ''))).toEqual([])
})

test('no two operations have the same operationId, ignoring case', () => {
  const ids = operations.map(({ operationId }) => operationId?.toLowerCase())
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
})

test('every operation has one tag, and every tag is described and used', () => {
  expect(operations.filter((operation) => operation.tags?.length !== 1)).toEqual([])
  const used = new Set(operations.map((operation) => operation.tags![0]))
  expect(tags.map(({ name }) => name).sort()).toEqual([...used].sort())
  expect(tags.filter(({ description }) => !/^[A-Z0-9].*\.$/.test(description))).toEqual([])
})
