import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A weather provider with Open-Meteo's interface on a loopback address: light rain and 12.4 °C at every hour, unless the test sets `answer`. */
export async function startWeather() {
  const provider = {
    /** The requested URLs. */
    asked: [] as URL[],
    answer: (response: ServerResponse, hours: string[]): void => {
      const hourly = { time: hours, weather_code: hours.map(() => 61), temperature_2m: hours.map(() => 12.4) }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ hourly }))
    },
    url: '',
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url!, provider.url)
    provider.asked.push(url)
    const day = url.searchParams.get('start_date')
    const hours = Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}:00`)
    provider.answer(response, hours)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return provider
}
