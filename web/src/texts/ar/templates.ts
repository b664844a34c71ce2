import { translation } from '../catalogue'
import type en from '../en/templates'

export default translation<typeof en>({
  'name-household': 'مسح الأسر',
  'about-household': 'الأفراد والسكن والماء والغذاء والدخل، بعد الموافقة.',
  'name-facility': 'منشأة صحية',
  'about-facility': 'ساعات العمل والعاملون والخدمات ومخزون الأدوية والكهرباء وسلسلة التبريد.',
  'name-prices': 'أسعار السوق',
  'about-prices': 'الأسعار حسب المنتج ووحدة البيع، محسوبة للكيلوغرام.',
  'name-water': 'نقطة مياه',
  'about-water': 'الموقع والحالة والتدفق والجودة ومن يعتني بها.',
  'name-attendance': 'حضور تدريب',
  'about-attendance': 'من حضر، مع التواقيع والاختبارات قبل التدريب وبعده والمجاميع.',
  'name-registration': 'تسجيل المستفيدين',
  'about-registration': 'الأشخاص وأسرهم، مع البطاقة والوثائق والموافقة.',
  'name-incident': 'تقرير حادث',
  'about-incident': 'ما الذي حدث، ولمن، وما الذي جرى فعله، مع صور.',
  'name-trees': 'جرد الأشجار',
  'about-trees': 'قطعة أرض وأشجارها: القطر والارتفاع والمساحة القاعدية.',
})
