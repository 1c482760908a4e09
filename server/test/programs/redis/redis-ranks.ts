import { Redis } from 'ioredis'

/** The number of loaded boards in Redis. @param appId only those of this app */
export async function loadedBoards(redisUrl: string, appId = ''): Promise<number> {
  const redis = new Redis(redisUrl)
  try {
    const names = (await redis.keys('cairn:*:state')).filter((name) => name.includes(appId))
    const states = await Promise.all(names.map((name) => redis.hget(name, 'ok')))
    return states.filter((ok) => ok === '1').length
  } finally {
    redis.disconnect()
  }
}
