import type { Foreign, Rule } from './access-ids.ts'
import type { Tenant } from './access-world.ts'

const MAPS = '/api/v1/user/maps'

/** The rules of the IDs that a shared map names, when it is created and changed. */
export const sharedMapIds: Record<string, Rule> = Object.fromEntries(
  ['POST', 'PATCH'].flatMap((method) => {
    const operation = method === 'POST' ? `POST ${MAPS}` : `PATCH ${MAPS}/{id}`
    const refused = (status: number, choice: (own: Tenant, other: Foreign) => object): Rule => ({
      status,
      call: async (own, other) => ({
        path: method === 'POST' ? MAPS : `${MAPS}/${await own.newMap()}`,
        body: { title: 'Tour', ...choice(own, other) },
      }),
    })
    return [
      [`${operation} body zoneIds`, { open: 'zones are open to read' }],
      [`${operation} body pinIds`, refused(400, (_own, { pin }) => ({ pinIds: [pin] }))],
      [`${operation} body boards.appId`, refused(404, (_own, { appId }) => ({ boards: [{ appId }] }))],
      [
        `${operation} body boards.miniGameTypeId`,
        refused(400, ({ appId }, { type }) => ({ boards: [{ appId, miniGameTypeId: type }] })),
      ],
    ]
  }),
)
