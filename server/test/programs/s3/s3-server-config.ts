/** Ceph's settings for a minimal cluster: one of each, no replicas, everything in memory.
 * Short `paxos` intervals make it start in one second instead of five. Authentication stays on: without it the gateway does not open its port. */
export function configOf({ folder, port }: { folder: string; port: number }): string {
  return `[global]
mon host = [v2:127.0.0.1:${port + 1}/0]
mon initial members = a
keyring = ${folder}/keyring
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind port min = ${port + 2}
ms bind port max = ${port + 30}
run dir = ${folder}/run
crash dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
pid file = ${folder}/run/$name.pid
log file = ${folder}/log/$name.log
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
mon data avail warn = 1
paxos propose interval = 0.05
paxos min wait = 0.01
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
osd objectstore = memstore
osd crush update on start = false
memstore device bytes = 4294967296
osd memory target = 939524096
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw thread pool size = 64
`
}
