/**
 * The public address of the service: the configured one, or the one it listens on. Never taken from a request's Host.
 */
export function createAddresses(configured: string | undefined) {
  let listening: string | undefined
  return {
    listensOn: (address: string) => {
      listening = address
    },
    publicUrl: (): string => {
      const address = configured ?? listening
      if (!address) throw new Error('The public address is known only once the service listens')
      return address
    },
  }
}
