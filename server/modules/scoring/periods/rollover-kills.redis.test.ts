import { loadedBoards } from '../../../test/programs/redis/redis-ranks.ts'
import { startRedis } from '../../../test/programs/redis/redis-server.ts'
import { testRolloverKills } from '../../../test/scoring/rollover-kills.ts'

testRolloverKills(async () => {
  const { url, stop } = await startRedis()
  return { settings: { CAIRN_REDIS_URL: url }, loaded: () => loadedBoards(url), stop }
})
