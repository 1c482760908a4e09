import pg from 'pg'
import { expect, test } from 'vitest'
import { givenOn } from '../../test/given.ts'
import { startService } from '../../test/service.ts'

test('a write for a user who is erased in the same moment is 409, and leaves nothing behind', async () => {
  const service = await startService()
  const user = await givenOn(service).user()
  const database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  try {
    expect((await user.get('/api/v1/apps')).status).toBe(200) // the session is known for a moment
    await database.query('delete from users where id = $1', [user.id])
    expect(await user.post('/api/v1/apps', { name: 'Trail', description: 'A game' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('deleted meanwhile') },
    })
    expect((await database.query('select from apps')).rows).toHaveLength(0)
  } finally {
    await database.end()
    await service.stop()
  }
})
