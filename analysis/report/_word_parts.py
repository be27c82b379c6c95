"""The parts of a Word document that are the same for every report."""

from collections.abc import Iterable

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    f'xmlns:r="{_OFFICE}" xmlns:a="{_DRAWING}/main" xmlns:c="{_DRAWING}/chart" '
    f'xmlns:wp="{_DRAWING}/wordprocessingDrawing"'
)

CONTENT_TYPES = (
    f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_WORD}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{_WORD}.styles+xml"/>'
    f'<Override PartName="/word/footer.xml" ContentType="{_WORD}.footer+xml"/>'
    '<Override PartName="/word/charts/chart.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/>'
    '<Override PartName="/docProps/core.xml" '
    'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>'
)

RELATIONS = (
    f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="document" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>'
    f'<Relationship Id="core" Type="{_PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>'
    "</Relationships>"
)

PROPERTIES = (
    f'{_XML}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>{name}</dc:title><dc:creator>topicrawl</dc:creator>'
    '<dcterms:created xsi:type="dcterms:W3CDTF">{at}</dcterms:created></cp:coreProperties>'
)

DOCUMENT = (
    f"{_XML}<w:document {_NAMESPACES}><w:body>"
    "{text}<w:p/>"
    '<w:sectPr><w:footerReference w:type="default" r:id="footer"/><w:pgSz w:w="11906" w:h="16838"/>'
    '<w:pgMar w:top="1020" w:right="850" w:bottom="1020" w:left="850" w:header="567" w:footer="567" w:gutter="0"/>'
    "</w:sectPr></w:body></w:document>"
)

CHART = (
    '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="6480000" cy="2160000"/><wp:docPr id="1" name="chart"/>'
    f'<a:graphic><a:graphicData uri="{_DRAWING}/chart"><c:chart r:id="chart"/></a:graphicData></a:graphic>'
    "</wp:inline></w:drawing></w:r></w:p>"
)
"""The paragraph of the chart, 18 by 6 cm."""

CURVE = (
    f'{_XML}<c:chartSpace xmlns:c="{_DRAWING}/chart" xmlns:a="{_DRAWING}/main"><c:chart>'
    '<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:rPr sz="1000" b="0"/><a:t>{title}</a:t></a:r></a:p></c:rich></c:tx>'
    '<c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>'
    '<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>{columns}'
    '<c:gapWidth val="40"/><c:axId val="1"/><c:axId val="2"/></c:barChart>{line}'
    '<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>'
    '<c:axPos val="b"/><c:crossAx val="2"/></c:catAx>'
    '<c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/><c:min val="0"/></c:scaling><c:delete val="0"/>'
    '<c:axPos val="l"/><c:majorGridlines><c:spPr><a:ln><a:solidFill><a:srgbClr val="E5E7EB"/></a:solidFill></a:ln></c:spPr>'
    '</c:majorGridlines><c:numFmt formatCode="0" sourceLinked="0"/><c:crossAx val="1"/></c:valAx></c:plotArea>'
    '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend><c:plotVisOnly val="1"/></c:chart></c:chartSpace>'
)

SERIES = (
    '<c:ser><c:idx val="{place}"/><c:order val="{place}"/><c:tx><c:v>{name}</c:v></c:tx><c:spPr>{paint}</c:spPr>{marker}'
    '<c:cat><c:strLit><c:ptCount val="{number}"/>{labels}</c:strLit></c:cat>'
    '<c:val><c:numLit><c:formatCode>General</c:formatCode><c:ptCount val="{number}"/>{values}</c:numLit></c:val></c:ser>'
)
LINE = '<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>{series}<c:axId val="1"/><c:axId val="2"/></c:lineChart>'
_PAINT = '<a:solidFill><a:srgbClr val="{}"/></a:solidFill>'
FILLED, DRAWN = _PAINT.format("9CA3AF"), f'<a:ln w="19050">{_PAINT.format("D97706")}</a:ln>'
UNMARKED = '<c:marker><c:symbol val="none"/></c:marker>'

FOOT = (
    f"{_XML}<w:ftr {_NAMESPACES}>"
    '<w:p><w:pPr><w:tabs><w:tab w:val="right" w:pos="10200"/></w:tabs></w:pPr><w:r><w:t>{name}</w:t></w:r>'
    '<w:r><w:tab/></w:r><w:fldSimple w:instr="PAGE"><w:r><w:t>1</w:t></w:r></w:fldSimple><w:r><w:t xml:space="preserve"> / </w:t></w:r>'
    '<w:fldSimple w:instr="NUMPAGES"><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p></w:ftr>'
)


def _style(
    key: str, name: str, paragraph: str = "", run: str = "", kind: str = "paragraph", base: str = "Normal"
) -> str:
    default, based = ("", f'<w:basedOn w:val="{base}"/>') if base else (' w:default="1"', "")
    return (
        f'<w:style w:type="{kind}" w:styleId="{key}"{default}><w:name w:val="{name}"/>{based}'
        f"<w:qFormat/><w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )


def _heading(key: str, name: str, level: int, half_points: int) -> str:
    paragraph = f'<w:keepNext/><w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="{level}"/>'
    return _style(key, name, paragraph, f'<w:b/><w:sz w:val="{half_points}"/><w:szCs w:val="{half_points}"/>')


_LINE = 'w:val="single" w:sz="4" w:space="0" w:color="D1D5DB"'
STYLES = (
    f"{_XML}<w:styles {_NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr>"
    '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="微软雅黑" w:cs="Calibri"/><w:sz w:val="21"/><w:szCs w:val="21"/>'
    '<w:lang w:val="en-GB" w:eastAsia="zh-CN"/></w:rPr></w:rPrDefault></w:docDefaults>'
    + _style("Normal", "Normal", '<w:spacing w:after="100" w:line="276" w:lineRule="auto"/>', base="")
    + _heading("Title", "Title", 0, 36)
    + _heading("Heading1", "heading 1", 0, 28)
    + _heading("Heading2", "heading 2", 1, 23)
    + _style("ListBullet", "List Bullet", '<w:ind w:left="340" w:hanging="200"/>')
    + _style("Quote", "Quote", f'<w:pBdr><w:left {_LINE.replace("4", "18", 1)}/></w:pBdr><w:ind w:left="284"/>')
    + _style("TableText", "Table Text", '<w:spacing w:after="0" w:line="240" w:lineRule="auto"/>')
    + _style("TableHead", "Table Head", "<w:keepNext/>", "<w:b/>", base="TableText")
    + '<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/>'
    '<w:rPr><w:color w:val="1A58CC"/></w:rPr></w:style>'
    '<w:style w:type="table" w:styleId="Rows"><w:name w:val="Rows"/>'
    f"<w:tblPr><w:tblBorders><w:top {_LINE}/><w:bottom {_LINE}/><w:insideH {_LINE}/></w:tblBorders>"
    '<w:tblCellMar><w:top w:w="40" w:type="dxa"/><w:left w:w="80" w:type="dxa"/><w:bottom w:w="40" w:type="dxa"/>'
    '<w:right w:w="80" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style></w:styles>'
)
"""The names are those of Word itself, so that its outline, its table of contents and other styles work."""


def related(links: Iterable[tuple[str, str]]) -> str:
    """The relations of the document: its parts, and links to the web by their keys."""
    own = (("styles", "styles.xml"), ("footer", "footer.xml"), ("chart", "charts/chart.xml"))
    parts = "".join(f'<Relationship Id="{kind}" Type="{_OFFICE}/{kind}" Target="{path}"/>' for kind, path in own)
    web = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/hyperlink" Target="{address}" TargetMode="External"/>'
        for address, key in links
    )
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{parts}{web}</Relationships>'
