import type { Service } from '../service.ts'
import { sqlOn } from '../sql.ts'

export const apps = '/api/v1/apps'
/** The least that makes an app. */
export const fields = { name: 'Trail', description: 'A race through the park' }

/** What tests of apps and their keys do. */
export function appSteps(service: Service) {
  const sql = sqlOn(service)
  const withKey = (key: string) => service.as({ 'x-app-api-key': key })
  return {
    sql,
    withKey,
    /** How a request with this key is answered. */
    statusOf: async (key: string) => (await withKey(key).get(`${apps}/players`)).status,
    /** Who did this to it, and from where. */
    audited: (subject: string, action: string) =>
      sql<{ actor: string; address: string }>(
        'select actor, address from audit_log where subject = $1 and action = $2 order by id',
        [subject, action],
      ),
  }
}
