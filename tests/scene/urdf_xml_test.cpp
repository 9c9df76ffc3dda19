// Texts that are no XML, or that XML readers understand differently, never load.
#include "scene/urdf_text.hpp"

#include <gtest/gtest.h>

namespace condyle {
namespace {

using namespace test;
using namespace std::string_literals;

TEST(UrdfXml, RefusesTextThatIsCutOffAndNamesTheOpenElementAndItsLine) {
  const auto error = refusal("<robot name=\"r\">\n<link name=\"a\">\n<inertial>\n");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), "xml-malformed");
  EXPECT_EQ(error->place().line, 3);
  EXPECT_EQ(error->place().element, "<inertial>");
}

TEST(UrdfXml, RefusesWhatIsNotWellFormed) {
  EXPECT_EQ(refusal_code("<robot name='r'><link name='a'></robot>"), "xml-malformed");
  EXPECT_EQ(refusal_code("<robot name='r'><link name='a'/></robot><robot name='s'/>"), "xml-malformed");
  EXPECT_EQ(refusal_code("<robot name='r'><link name='a'/></robot>words"), "xml-malformed");
  EXPECT_EQ(refusal_code("words<robot name='r'><link name='a'/></robot>"), "xml-malformed");
  EXPECT_EQ(refusal_code("<robot name='r' name='s'><link name='a'/></robot>"), "xml-malformed");
  EXPECT_EQ(refusal_code("<robot name='r'><link name='a<b'/></robot>"), "xml-malformed");
  EXPECT_EQ(refusal_code("<robot name='r'><link name='&nothing;'/></robot>"), "xml-malformed");
  EXPECT_EQ(refusal_code("<robot name='r'><!-- <link name='a'/></robot>"), "xml-malformed");
  EXPECT_EQ(refusal_code("<robot name='r'><link name='a'/></robot>\n\0"s), "xml-malformed");
  EXPECT_EQ(refusal_code("<robot name='r'><link name='a\x01'/></robot>"), "xml-malformed");
  EXPECT_EQ(refusal_code(""), "xml-malformed");
  EXPECT_EQ(refusal_code("<!-- nothing -->"), "xml-malformed");
}

TEST(UrdfXml, RefusesElementsNestedTooDeepInsteadOfOverflowingTheStack) {
  for (const int depth : {101, 600, 200000}) {
    std::string text = "<robot name=\"r\"><link name=\"a\"/>";
    for (int i = 0; i < depth; ++i) text += "<a>";
    for (int i = 0; i < depth; ++i) text += "</a>";
    const auto error = refusal(text + "</robot>");
    ASSERT_TRUE(error) << depth;
    EXPECT_EQ(error->code(), "xml-malformed");
  }
}

TEST(UrdfXml, RefusesOtherEncodingsWithTheLine) {
  EXPECT_EQ(refusal_code("\xFF\xFE<\0r\0"s), "wrong-encoding");
  EXPECT_EQ(refusal_code("<\0r\0o\0"s), "wrong-encoding");
  const auto latin = refusal("<robot name='r'>\n<link name='gr\xFC\xDF'/></robot>");
  ASSERT_TRUE(latin);
  EXPECT_EQ(latin->code(), "wrong-encoding");
  EXPECT_EQ(latin->place().line, 2);
  EXPECT_EQ(refusal_code("<?xml version='1.0' encoding='ISO-8859-1'?><robot name='r'><link name='\xC3\xA4'/></robot>"),
            "wrong-encoding");
}

TEST(UrdfXml, AcceptsUtf8WithMarkAndPlainTextInADeclaredEncoding) {
  EXPECT_EQ(read("\xEF\xBB\xBF<?xml version='1.0'?><robot name='r'><link name='gr\xC3\xBC\xC3\x9F'/></robot>").links[0].name,
            "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(refusal_code("<?xml version='1.0' encoding='ISO-8859-1'?><robot name='r'><link name='a'/></robot>"), "loads");
}

TEST(UrdfXml, AcceptsADeclarationAfterACommentAndSaysSo) {
  const ModelDescription model =
      read("<!-- made by hand -->\n<?xml version=\"1.0\"?>\n<robot name=\"r\">\n<link name=\"a\"/></robot>");
  const ReportEntry* said = entry(model.report, "declaration-not-first");
  ASSERT_TRUE(said) << all_entries(model.report);
  EXPECT_EQ(said->place.line, 2);
  EXPECT_EQ(model.links[0].place.line, 4);
  EXPECT_TRUE(entry(model.report, "urdfdom-differs", "refuse")) << all_entries(model.report);
}

TEST(UrdfXml, ReportsTextBetweenElements) {
  const ModelDescription model = read(robot("<link name=\"a\">oops</link>"));
  const ReportEntry* said = entry(model.report, "stray-text", "oops");
  ASSERT_TRUE(said) << all_entries(model.report);
  EXPECT_EQ(said->outcome, Outcome::ignored);
}

TEST(UrdfXml, NumbersDoNotDependOnTheLocaleAndAreSeparatedByAnyWhiteSpace) {
  const ModelDescription model = read(one_joint("fixed", "<origin xyz=\"+1.5\t-2e-1\n3\"/>"));
  EXPECT_EQ(model.joints[0].origin.p, Eigen::Vector3d(1.5, -0.2, 3));
  EXPECT_TRUE(entry(model.report, "urdfdom-differs", "white space")) << all_entries(model.report);
  for (const char* bad : {"1,5 0 0", "1 2", "1 2 3 4", "nan 0 0", "inf 0 0", "1e999 0 0", "0x1 0 0", "$(arg x) 0 0", "",
                          "1_0 0 0", "1e200 0 0"})
    EXPECT_EQ(refusal_code(one_joint("fixed", "<origin xyz=\"" + std::string(bad) + "\"/>")), "bad-number") << bad;
}

}  // namespace
}  // namespace condyle
