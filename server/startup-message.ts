import type { Config } from './platform/config.ts'

type Started = {
  role: Config['CAIRN_ROLE']
  address: string
  boxIssuerIsOn: boolean
  firstAdminLink: string | undefined
}

/** What a start prints for the one who started it. */
export function startupMessage({ role, address, boxIssuerIsOn, firstAdminLink }: Started): string {
  if (role === 'worker')
    return `\nThis worker of Cairn is at ${address} (/readyz, /metrics), and works on jobs beside the service\n`
  return `
Cairn is at ${address}
  console      ${address}/console
  operations   ${address}/docs
  ${firstAdminLink ? `first admin  ${firstAdminLink}   (makes the account that runs this box; works once, until the next start)` : signIn(address, boxIssuerIsOn)}
  a tour       npm run tour
${role === 'api' ? '  jobs         none here: start a worker beside it (npm run cairn -- worker)\n' : ''}`
}

const signIn = (address: string, boxIssuerIsOn: boolean) =>
  boxIssuerIsOn
    ? `sign in      ${address}/sign-in`
    : 'sign in      at your identity provider, or: npm run cairn -- user token --name you --role admin'
