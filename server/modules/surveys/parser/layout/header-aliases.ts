import type { Role } from './columns.ts'

/**
 * Header words by meaning, best first: English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish,
 * Norwegian, Danish, Finnish, Estonian, Hungarian, Romanian, Croatian, Czech, Russian, Ukrainian, Turkish, Greek,
 * Japanese, Chinese, and the words of receivers and programs. Compared without case, accents, spaces and signs.
 */
export const headerWords: Record<Role, string> = {
  title: `title pointname pointid pointnumber pointno gcplabel gcpname name label point pt ptid ptno ptname ptnumber pnt
    gcp gcpid station stationname stationid stn stnname stnid stnno beacon markno markname peg pegno marker markername targetname benchmark
    bezeichnung punktnummer punktnr punktname punkt punktkennung punktkennzeichen pkt pktnr nombre nombrepunto punto nom nompoint matricule
    pnr broj oznaka oznakatocke tocka sttocke stevilkatocke psz pontszama nro pistetunnus αα αριθμος номерпункта
    nome nomepunto numeropunto ponto nomeponto naam puntnaam puntnummer puntnr punt nazwa nazwapunktu numerpunktu nrpunktu
    nrpct nrpunct
    vertex vertice estacion estacao marco hito repere numeropoint numpoint idpunto idponto
    npoint npunto ndepoint nopunto mark taskas diem điem pont nev punct cbodu noktaadı 測点 點號 點名 pid pontszam pontnev nimi tocka brojtocke nume numepunct denumire punkti namn navn punktnamn punktnavn punktid nazev nazevbodu nazov cislobodu bod имя названия название имяточки номерточки точка
    пикет назва імя назваточки nokta noktano noktaadi cb 点名 点号 측점 점명 piste pistenro pistenumero pto 測点名 点番 名称 σημειο ονομα identifier id no nr num number numero nummer numer cislo номер p fid pnr pillar pillarno pillarid borne titik namatitik punktur tênđiem หมุด النقطة`,
  latitude: `latitude lat ylatitude latitudey latwgs84 latitudewgs84 wgs84latitude wgs84lat latitudedeg latdeg latitudedd
    latdd latdms latitudedms latdecimal latitudedecimal latituddecimal latitudedecimale decimallatitude declat gpslatitude gpslat latitudeglobal globallatitude
    latitudens latitudelocal esrignsslatitude breite breitengrad geographischebreite geobreite latitud latitudine breedtegraad breedte
    szerokosc szerokoscgeograficzna breddgrad breddegrad bredde zemepisnasirka sirka широта 緯度 纬度 πλατος γεωγραφικοπλατος phi φ b geolat ylat latituden nordlichebreite
    noerdlichebreite szergeogr zemsirka sirina zemljepisnasirina geografskasirina enlem foldrajziszelesseg географскаширина vido viđo 위도 northlatitude lintang leveysaste leveyspiiri 纬度b 緯度b`,
  longitude: `longitude lon lng long xlongitude longitudex lonwgs84 longwgs84 longitudewgs84 wgs84longitude wgs84lon
    wgs84long longitudedeg londeg longdeg longitudedd londd longdd londms longdms longitudedms londecimal longitudedecimal
    longituddecimal longitudedecimale decimallongitude declon declong gpslongitude gpslon gpslong longitudeglobal globallongitude longitudeew longitudelocal esrignsslongitude
    lange laenge langengrad laengengrad geographischelange geolange longitud longitudine lengtegraad lengte
    dlugosc dlugoscgeograficzna langdgrad lengdegrad længdegrad laengdegrad foldrajzihosszusag географскадължина zemepisnadelka delka долгота довгота 経度 经度 μηκος γεωγραφικομηκος lambda λ l gpslng geolon geolong geolng xlon
    longitudee ostlichelange oestlichelange dlgeogr dłgeogr zemdelka dlzka zemepisnadlzka dolzina zemljepisnadolzina duzina geografskaduzina boylam kinhđo kinhdo 경도 eastlongitude bujur pituusaste pituuspiiri 经度l 經度l 経度l`,
  latitudeSide: 'ns latref latituderef gpslatituderef latitudehemisphere lathemisphere hemispherens',
  longitudeSide: 'ew lonref longituderef gpslongituderef longitudehemisphere lonhemisphere hemisphereew',
  position: `wkt wktgeom wktgeometry thegeom geom geometry latlon latlong latlng latitudelongitude latlonalt lonlat longlat
    longitudelatitude coordinates gpscoordinates gpscoords coords koordinaten coordonnees coordenadas coordinate position
    location gps`,
  northing: `northing northings north n ynorth ynorthing northingy northy nnorthing gridnorthing gridnorth localnorthing localnorth
    mapnorthing mn metresnorth metersnorth coordn coordnorth coordnord nord norte hochwert hoch nordwert ordonnee ordenada coordenadanorte coordnorte xnord nkoordinate coordenadan nordkoordinate utmn nutm utmnorte norteutm noord noordwaarde pohjoinen
    polnoc norr nordkoordinat sever kuzey yukari yukarı southing xsouthing southingx север північ pointnorthing koordn eszak hw 縱坐標 縱坐標n 縱坐標x 北 北坐标 北座標 북 βορεια sjever 纵坐标 北距`,
  easting: `easting eastings east e xeast xeasting eastingx eastx eeasting grideasting grideast localeasting localeast mapeasting
    me metreseast meterseast coorde coordeast coordest rechtswert rechts ostwert ost est este leste westing ywesting westingy abscisse abscisa coordenadaeste coordeste yost ekoordinate coordenadae ostkoordinate utme eutm utmeste esteutm oost oostwaarde ita
    wschod oster ostkoordinat vychod dogu doðu saga восток схід pointeasting koorde kelet rw 橫坐標 橫坐標e 橫坐標y 东 東 东坐标 東座標 동 ανατολικα изток istok vzhod 横坐标 東距`,
  x: 'x shapex utmx xutm posx geox pointx geomx xcoord xcoordinate coordx coordinatex coordenadax coordenadasx coordonneex coordinatax xcoordinata xkoordinate koordinatex ecefx xecef rdx eovx souradnicex suradnicax wspolrzednax xkoordinat координатаx xcoordinaat х χ x座標 x坐标',
  y: 'y shapey utmy yutm posy geoy pointy geomy ycoord ycoordinate coordy coordinatey coordenaday coordenadasy coordonneey coordinatay ycoordinata ykoordinate koordinatey ecefy yecef rdy eovy souradnicey suradnicay wspolrzednay ykoordinat координатаy ycoordinaat у υ y座標 y坐标',
  h: `h helipsoidal hellipsoidale hellissoidica hoheell hoeheell altitudehae heighthae elevationhae hel ellelev ellipelev ellelevation ellipsoidalheight ellipsoidheight ellipsheight ellipheight elliphgt ellipht ellheight ellhgt ellht ellh ellipsoidalhgt
    eht ellipsoidalm ellipsoidal ellipsoidalh ellipsoid hell hellips hae heightellipsoid heightellipsoidal heightaboveellipsoid altitudewgs84 wgs84altitude altwgs84 heightwgs84 altitudeellipsoidal ellipsoidalaltitude
    wgs84ellipheight wgs84ellipsoidalheight wgs84ellipsoidheight wgs84height heightglobal
    globalheight ellipsoidelevation ellipsoidhohe ellhohe ellipshohe ellipsoidischehohe ellipsoidischehoehe ellipsoidhoehe ellhoehe hoheellipsoidisch elliphohe hauteurellipsoidale
    hauteurellipsoide alturaelipsoidal alturaelipsoide alturaelipsoidica altitudeelipsoidal altezzaellissoidica quotaellissoidica
    ellipsoidischehoogte wysokoscelipsoidalna ellipsoidhojd ellipsoidhoyde elipsoidickavyska altitudegeometrica altitudegeom altgeometrica altgeom
    alturageometrica cotageometrica altitudelipsoidica altitudeelipsoidica altitudeellipsoidale quotaellissoidale эллипсоидальнаявысота
    геодезическаявысота еліпсоїднависота еліпсоїдальнависота елипсоиднависочина ellipszoidimagassag ellipszoidmagassag ellipsoidikorkeus elipsoityuksekligi elipsoityukseklik elipsoidalyukseklik inaltimeelipsoidala altitudineelipsoidala ελλειψοειδεςυψομετρο γεωμετρικουψομετρο 楕円体高 大地高 椭球高 타원체고 大地高h 椭球高h altezzaell quotaell`,
  altitude: `hort hortometrica hortometrique nnhohe nnhoehe hoheunhn hoeheunhn hoheuadria hoheuberadria hoeheuadria pointelevation hkpd mpd mbf mslaltitude altortom alturaortom ortometrickavyska ortometrikyukseklik altitudeabovesealevel elevationabovesealevel heightabovesealevel mum hn76 正常高
    orthometricheight orthometricelevation orthoheight orthohgt orthoht orthometric orthometricheightnavd88 heightnavd88
    elevationnavd88 navd88 elevationmsl heightmsl mslheight mslelevation elevmsl altmsl mslelev mslalt hmsl msl amsl altitudemsl altitudeamsl amslaltitude altamsl heightamsl elevationamsl hohenn hohenhn hoheunn hoehenn hoehenhn hoeheunn hoheubernhn hoheubernn hoeheuebernhn hoeheuebernn horth hortho nhnhohe nhnhoehe normalhoehe orthohoehe nhn normalhohe
    orthohohe orthometrischehohe orthometrischehoehe hoheorthometrisch altitudeortometrica altitudortometrica altitudeorthometrique
    altortometrica altezzaortometrica wysokoscortometryczna altitud altitudine elevacion elevacao nadmorskavyska nadmvyska hunn huenn hunhn huenhn hnhn hohemunhn hohemuenhn hohemunn hohemuenn hohemnhn hohemnn meereshohe meereshoehe 海拔 海拔高 정표고 hubernn huebernn hubernhn huebernhn altitude altitudes elevation elevations elev elv ele el rl reducedlevel elevationz orthometrich zelevation alt zaltitude altitudez hauteurorthometrique altitudengf
    alturaortometrica cotaortometrica quotaslm quotaortometrica rzednanpm wysokoscnormalna hojdrh2000 hoydenn2000 hoogtenap nap vyskabpv heightodn heightaod
    нормальнаявысота dhhn2016 dhhn92 nn2000 nn1954 rh2000 egm96 egm2008 heightnn2000 heightrh2000 heightdhhn2016 heightnap
    heightegm96 heightegm2008 altitudeegm96 altitudeegm2008 orthometricheightegm96 orthometricheightegm2008`,
  z: `z hм cote rzednah up height heights heightz heightlocal hgt ht hohe hoehe geoz pointz geomz zcoord zcoordinate coordz coordenadaz coordonneez coordinataz
    hauteur altura altezza quota cota hoogte wysokosc rzedna hojd hojde hoyde vyska visina korkeus magassag korgus высота висота отметка відмітка yukseklik kot kote posz gpsaltitude gpsalt geoh caođo caodo 높이 표고 標高 tinggi lvl cotaz η 高程 高程h 高さ υψομετρο υψος esrignssaltitude zkoordinate koordinatez souradnicez suradnicaz wspolrzednaz zkoordinat координатаz zcoordinaat ζ н ecefz zecef`,
  // Exports of this service have these three; Shapefile names are limited to ten characters.
  heightDatum: 'heightdatum hgtdatum verticaldatum vertdatum',
  heightOperation: 'heightoperation hgtmodel',
  heightAccuracy: 'heightaccuracy hgtaccur',
  heightUnit: 'antennaheightunits heightunit heightunits',
  aprilTagId: 'apriltagid apriltag tagid markerid tag fiducial fiducialid',
  description: `description desc codedescription featurecode pointcode notes note comment comments remark remarks beschreibung
    bemerkung kommentar commentaire remarque descripcion observaciones descrizione note descricao omschrijving opis uwagi beskrivning
    beskrivelse popis poznamka observations observation observacoes cod megjegyzes acıklama aciklama descriere selite コード 备注 编码 cmt описание примечание опис 備考 code kod codigo codice layer`,
  gcpType: 'gcptype',
  gcpData: 'gcpdata',
  yaw: 'yaw',
  pitch: 'pitch',
  roll: 'roll',
  photoUrls: 'photourls photourl photos photo images image imageurl picture pictures photo1 photo2 photo3',
  photoPosition: 'imx imagex pixelx px',
  accuracy: 'accuracy accuracyxyz',
  accuracyH: `accuracyh accuracyhorz accuracyhorizontal horzaccuracy horizontalaccuracy horaccuracy hrms lateralrms hacc accuracyxy
    xyaccuracy sigmaxy horizontalprecision hprecision precisionh hzprec horzprecision horizontalrms hprec hsd 2dcq cq2d genauigkeitlage lagegenauigkeit precisionplani precisionhorizontal haccuracy horizontalaccuracym`,
  accuracyEasting:
    'eastingrms accuracyeasting accuracyx xaccuracy sigmae sigmax stdeast sde eastingsd sdeasting stddeve stddeveast stddeveasting stddevx',
  accuracyNorthing:
    'northingrms accuracynorthing accuracyy yaccuracy sigman sigmay stdnorth sdn northingsd sdnorthing stddevn stddevnorth stddevnorthing stddevy',
  accuracyV: `accuracyv accuracyvert accuracyvertical vertaccuracy verticalaccuracy vrms elevationrms vacc accuracyz zaccuracy sigmaz
    sigmah sigmau verticalprecision vprecision precisionv vtprec vertprecision verticalrms vprec vsd sdorthoheight sdheight sdellipheight 1dcq cq1d genauigkeithohe hohengenauigkeit genauigkeithoehe hoehengenauigkeit precisionalti stddevu stddevh stddevz vaccuracy`,
  crs: 'crs epsg epsgcode srid srs csname crsname coordinatesystem referencesystem coordinatereferencesystem utmzone zoneutm',
  deleted: `deleted isdeleted pointdeleted geloscht geloescht supprime eliminado borrado eliminato excluido verwijderd usuniety slettet
    raderad poistettu smazano удалена удалено status pointstatus`,
}
