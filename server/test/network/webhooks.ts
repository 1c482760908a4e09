import { buildersOn } from '../builders.ts'
import type { Caller, Service } from '../service.ts'
import type { Receiver } from './receiver.ts'

/** Common steps of webhook tests over HTTP, as this user. */
export function webhooksOn(service: Service, user: Caller, receiver: Receiver) {
  const given = buildersOn(service)
  return {
    /** An app of the user with a webhook to the receiver. `at` is the webhook's path, `list` that of all. */
    async subscribed(eventTypes: string[] = ['player.created', 'player.updated', 'player.deleted']) {
      const app = await given.app({ owner: user })
      const list = `/api/v1/apps/${app.id}/webhooks`
      const { status, body } = await user.post(list, { url: receiver.url, eventTypes })
      if (status !== 201) throw new Error(`no webhook: ${JSON.stringify(body)}`)
      const { id, secret } = body as { id: string; secret: string }
      return { app, at: `${list}/${id}`, list, secret }
    },

    /** A delivery of the webhook once it fulfils the condition, within thirty seconds. */
    async deliveryOf(at: string, isSo: (delivery: { status: string; attempts: number }) => boolean) {
      for (let i = 0; i < 1500; i++) {
        const found = (await user.get(`${at}/deliveries`)).body.deliveries.find(isSo)
        if (found) return (await user.get(`${at}/deliveries/${found.id}`)).body
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error('there is no such delivery')
    },
  }
}
