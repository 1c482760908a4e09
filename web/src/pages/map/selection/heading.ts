/** The direction of a yaw as a heading: degrees clockwise from north, from 0 to below 360. Yaw counts counter-clockwise from east. */
export const headingOfYaw = (yaw: number): number => (((90 - yaw) % 360) + 360) % 360

/** The index of the nearest of eight winds, clockwise from north. */
export const windOf = (heading: number): number => Math.round(heading / 45) % 8
