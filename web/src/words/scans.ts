export const scans = {}
