import type { Config } from './platform/config.ts'
import { commandName } from './platform/process/command-name.ts'
import { isPackage } from './platform/process/project-files.ts'

type Started = {
  version: string
  role: Config['CAIRN_ROLE']
  address: string
  dataDir: string
  boxIssuerIsOn: boolean
  firstAdminLink: string | undefined
}

/** The message printed after a start. */
export function startupMessage({ version, role, address, dataDir, boxIssuerIsOn, firstAdminLink }: Started): string {
  if (role === 'worker')
    return `\nThis worker of Cairn is at ${address} (/readyz, /metrics) and runs the jobs of the service. Version ${version}\n`
  return `
Cairn is at ${address}
  version      ${version}
  console      ${address}/console
  operations   ${address}/docs
  ${firstAdminLink ? `first admin  ${firstAdminLink}   (creates the first admin; works once, until the next start)` : signIn(address, boxIssuerIsOn)}
  ${isPackage ? `data         ${dataDir}` : 'a tour       npm run tour'}
${role === 'api' ? `  jobs         none here: start a worker beside it (${commandName()} worker)\n` : ''}`
}

const signIn = (address: string, boxIssuerIsOn: boolean) =>
  boxIssuerIsOn
    ? `sign in      ${address}/sign-in`
    : `sign in      at your identity provider, or: ${commandName()} user token --name you --role admin`
