import type { Service } from '../service.ts'
import { sqlOn } from '../sql.ts'

export const apps = '/api/v1/apps'
/** The minimum to create an app. */
export const fields = { name: 'Trail', description: 'A race through the park' }

/** Common steps of tests of apps and keys. */
export function appSteps(service: Service) {
  const sql = sqlOn(service)
  const withKey = (key: string) => service.as({ 'x-app-api-key': key })
  return {
    sql,
    withKey,
    /** The response to a request with this key. */
    statusOf: async (key: string) => (await withKey(key).get(`${apps}/players`)).status,
    /** The audit entries of an action: actor and address. */
    audited: (subject: string, action: string) =>
      sql<{ actor: string; address: string }>(
        'select actor, address from audit_log where subject = $1 and action = $2 order by id',
        [subject, action],
      ),
  }
}
