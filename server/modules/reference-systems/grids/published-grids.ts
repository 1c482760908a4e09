/** A grid that surveyors of a country need, by its PROJ name, and the agency that publishes it. */
export type PublishedGrid = { file: string; publisher: string; covers: string }

/** Well-known grids by country, except EGM96, which is bundled. A test checks the names against PROJ's database. */
export const PUBLISHED_GRIDS: readonly PublishedGrid[] = [
  grid('au_icsm_GDA94_GDA2020_conformal_and_distortion.tif', 'ICSM', 'Australia'),
  grid('au_ga_AUSGeoid2020_20180201.tif', 'Geoscience Australia', 'Australia, heights'),
  grid('at_bev_AT_GIS_GRID_2021_09_28.tif', 'BEV', 'Austria'),
  grid('be_ign_bd72lb72_etrs89lb08.tif', 'NGI Belgium', 'Belgium'),
  grid('be_ign_hBG18.tif', 'NGI Belgium', 'Belgium, heights'),
  grid('br_ibge_SAD69_003.tif', 'IBGE', 'Brazil'),
  grid('ca_nrc_ntv2_0.tif', 'NRCan', 'Canada'),
  grid('ca_nrc_CGG2013an83.tif', 'NRCan', 'Canada, heights'),
  grid('dk_sdfi_dvr90_2023.tif', 'Danish Agency for Climate Data', 'Denmark, heights'),
  grid('fi_nls_fin2023n2000.tif', 'National Land Survey of Finland', 'Finland, heights'),
  grid('fr_ign_ntf_r93.tif', 'IGN', 'France'),
  grid('fr_ign_RAF20.tif', 'IGN', 'France, heights'),
  grid('de_adv_BETA2007.tif', 'AdV', 'Germany'),
  grid('de_bkg_gcg2016.tif', 'BKG', 'Germany, heights'),
  grid('uk_os_OSTN15_NTv2_OSGBtoETRS.tif', 'Ordnance Survey', 'Great Britain'),
  grid('uk_os_OSGM15_GB.tif', 'Ordnance Survey', 'Great Britain, heights'),
  grid('jp_gsi_jpgeo2024.tif', 'GSI', 'Japan, heights'),
  grid('nl_nsgi_rdtrans2018.tif', 'Kadaster (NSGI)', 'Netherlands'),
  grid('nl_nsgi_nlgeo2018.tif', 'Kadaster (NSGI)', 'Netherlands, heights'),
  grid('nz_linz_nzgd2kgrid0005.tif', 'LINZ', 'New Zealand'),
  grid('nz_linz_nzgeoid2016.tif', 'LINZ', 'New Zealand, heights'),
  grid('no_kv_HREF2018B_NN2000_EUREF89.tif', 'Kartverket', 'Norway, heights'),
  grid('pl_gugik_geoid2021-PL-EVRF2007-NH.tif', 'GUGiK', 'Poland, heights'),
  grid('pt_dgt_D73_ETRS89_geo.tif', 'DGT', 'Portugal'),
  grid('sk_gku_JTSK03_to_JTSK.tif', 'GKÚ Bratislava', 'Slovakia'),
  grid('za_cdngi_sageoid2010.tif', 'CD:NGI', 'South Africa, heights'),
  grid('es_ign_SPED2ETV2.tif', 'IGN Spain', 'Spain'),
  grid('es_ign_egm08-rednap.tif', 'IGN Spain', 'Spain, heights'),
  grid('se_lantmateriet_SWEN17_RH2000.tif', 'Lantmäteriet', 'Sweden, heights'),
  grid('ch_swisstopo_CHENyx06a.tif', 'swisstopo', 'Switzerland'),
  grid('ch_swisstopo_CHENyx06_ETRS.tif', 'swisstopo', 'Switzerland'),
  grid('ch_swisstopo_chgeo2004_ETRS89_LN02.tif', 'swisstopo', 'Switzerland, heights'),
  grid('us_noaa_nadcon5_nad27_nad83_1986_conus.tif', 'NOAA NGS', 'United States'),
  grid('us_noaa_g2018u0.tif', 'NOAA NGS', 'United States, heights'),
  grid('us_nga_egm08_25.tif', 'NGA', 'the world, heights above EGM2008'),
]

function grid(file: string, publisher: string, covers: string): PublishedGrid {
  return { file, publisher, covers }
}
