import { translation } from '../catalogue'
import type en from '../en/templates'

export default translation<typeof en>({
  'name-household': 'Utafiti wa kaya',
  'about-household': 'Wanakaya, makazi, maji, chakula na kipato, baada ya ridhaa.',
  'name-facility': 'Kituo cha afya',
  'about-facility': 'Saa za kazi, wafanyakazi, huduma, akiba ya dawa, umeme na mnyororo baridi.',
  'name-prices': 'Bei za soko',
  'about-prices': 'Bei kwa bidhaa na kipimo, zikikokotolewa kwa kilo.',
  'name-water': 'Chanzo cha maji',
  'about-water': 'Mahali, hali, kiasi cha maji, ubora, na nani anakitunza.',
  'name-attendance': 'Mahudhurio ya mafunzo',
  'about-attendance': 'Waliohudhuria, pamoja na saini, majaribio kabla na baada, na jumla.',
  'name-registration': 'Usajili wa wanufaika',
  'about-registration': 'Watu na familia zao, pamoja na kadi, hati na ridhaa.',
  'name-incident': 'Ripoti ya tukio',
  'about-incident': 'Kilichotokea, kwa nani, na kilichofanyika, pamoja na picha.',
  'name-trees': 'Orodha ya miti',
  'about-trees': 'Kipande cha ardhi na miti yake: kipenyo, urefu na eneo la shina.',
})
