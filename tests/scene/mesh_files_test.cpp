// Where meshes are found, what is read from them, and what is said about them.
#include "scene/mesh_files.hpp"

#include "scene/urdf_text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace condyle {
namespace {

using namespace test;
namespace fs = std::filesystem;

const std::string two_triangles =
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";

std::string collada(const std::string& asset) {
  return "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset>" +
         asset +
         "</asset><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"pa\" count=\"9\">0 0 0 1 "
         "0 0 0 0 3"
         "</float_array><technique_common><accessor source=\"#pa\" count=\"3\" stride=\"3\"><param name=\"X\" "
         "type=\"float\"/>"
         "<param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common></source>"
         "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\">"
         "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 "
         "2</p></triangles></mesh></geometry></library_geometries>"
         "<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/></node></visual_scene>"
         "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
}

class MeshFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(CONDYLE_TEST_OUTPUT) / "mesh_files" / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "pkg/urdf");
    unsetenv("ROS_PACKAGE_PATH");
  }
  void TearDown() override { unsetenv("ROS_PACKAGE_PATH"); }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return (folder_ / name).string();
  }
  std::string model() const { return (folder_ / "pkg/urdf/r.urdf").string(); }
  FoundFile find(const std::string& uri, const std::vector<std::string>& path = {}) const {
    return FileSearch(model(), path).find(uri);
  }
  ModelDescription load(const std::string& uri, ReadOptions options = {}, const std::string& role = "collision") const {
    return read_urdf_text(one_link("<" + role + "><geometry><mesh filename=\"" + uri + "\"/></geometry></" + role + ">"),
                          model(), options);
  }
  fs::path folder_;
};

TEST_F(MeshFiles, APackageIsAFolderOfItsNameAboveTheFileOrBesideOne) {
  write("pkg/meshes/a.stl", two_triangles);
  write("other/meshes/b.stl", two_triangles);
  EXPECT_EQ(find("package://pkg/meshes/a.stl").path, (folder_ / "pkg/meshes/a.stl").string());
  EXPECT_EQ(find("package://other/meshes/b.stl").path, (folder_ / "other/meshes/b.stl").string());
  EXPECT_EQ(find("package://pkg/meshes/a.stl").rule, "package folder above the file");
  EXPECT_TRUE(find("package://PKG/meshes/a.stl").path.empty()) << "matching must be case-sensitive";
}

TEST_F(MeshFiles, APackageMayBeNamedByItsPackageXml) {
  write("pkg/package.xml", "<package><name> real_name </name></package>");
  write("pkg/meshes/a.stl", two_triangles);
  EXPECT_EQ(find("package://real_name/meshes/a.stl").path, (folder_ / "pkg/meshes/a.stl").string());
  write("far/a/b/c/package.xml", "<package><name>deep</name></package>");
  write("far/a/b/c/m.stl", two_triangles);
  EXPECT_TRUE(find("package://deep/m.stl").path.empty());
  EXPECT_EQ(find("package://deep/m.stl", {(folder_ / "far").string()}).rule, "package.xml in the package path");
  setenv("ROS_PACKAGE_PATH", ("/nowhere:" + (folder_ / "far").string()).c_str(), 1);
  EXPECT_EQ(find("package://deep/m.stl").rule, "package.xml in ROS_PACKAGE_PATH");
}

TEST_F(MeshFiles, RelativeAbsoluteAndFileNamesAreFound) {
  const std::string here = write("pkg/urdf/a.stl", two_triangles), up = write("pkg/b.stl", two_triangles),
                    far = write("lib/c.stl", two_triangles);
  EXPECT_EQ(find("a.stl").rule, "relative to the file");
  EXPECT_EQ(find("b.stl").rule, "relative to the folder above the file");
  EXPECT_EQ(find("c.stl", {(folder_ / "lib").string()}).rule, "relative to the package path");
  EXPECT_EQ(find("file://a.stl").path, here);
  EXPECT_EQ(find("file://" + up).rule, "absolute path");
  EXPECT_EQ(find(far).path, far);
  EXPECT_EQ(find("package:///a.stl").path, here);
  EXPECT_EQ(find("package://a.stl").path, here);
}

TEST_F(MeshFiles, AMissingMeshIsRefusedWithEverythingThatWasTried) {
  try {
    load("package://pkg/meshes/absent.stl");
    ADD_FAILURE() << "loads";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "mesh-missing");
    EXPECT_EQ(error.place().element, "<mesh> of a");
    EXPECT_EQ(error.place().line, 2);
    EXPECT_NE(error.reason().find((folder_ / "pkg/meshes/absent.stl").string()), std::string::npos) << error.what();
  }
  EXPECT_NE(find("$(find pkg)/a.stl").rule.find("xacro"), std::string::npos);
}

TEST_F(MeshFiles, SkipMeshesLoadsWithoutTheMeshAndSaysSo) {
  ReadOptions options;
  options.skip_meshes = true;
  const ModelDescription model = load("absent.stl", options);
  ASSERT_EQ(model.shapes.size(), 1u);
  EXPECT_FALSE(model.shapes[0].shape.mesh);
  EXPECT_TRUE(entry(model.report, "mesh-missing", "left out"));
  EXPECT_TRUE(model.report.meshes.at(0).path.empty());
}

TEST_F(MeshFiles, VerticesThatTheFileRepeatsAreOne) {
  write("pkg/urdf/a.STL", two_triangles);
  const ModelDescription model = load("a.STL");
  ASSERT_TRUE(model.shapes[0].shape.mesh);
  EXPECT_EQ(model.shapes[0].shape.mesh->vertices.size(), 4u);
  EXPECT_EQ(model.shapes[0].shape.mesh->triangles.size(), 2u);
  const MeshUse& use = model.report.meshes.at(0);
  EXPECT_EQ(use.vertices, 4);
  EXPECT_EQ(use.role, "collision");
  EXPECT_EQ(use.policy, "hull");
  EXPECT_EQ(use.rule, "relative to the file");
}

TEST_F(MeshFiles, OneFileUsedTwiceIsReadOnceAndListedOnce) {
  write("pkg/urdf/a.stl", two_triangles);
  const std::string shape = "<geometry><mesh filename=\"a.stl\"/></geometry>";
  const ModelDescription model = read_urdf_text(
      one_link("<visual>" + shape + "</visual><collision>" + shape + "</collision><collision>" + shape + "</collision>"),
      this->model());
  EXPECT_EQ(model.report.meshes.size(), 1u);
  EXPECT_EQ(model.report.meshes[0].role, "collision visual");
  EXPECT_FALSE(model.shapes[0].shape.mesh);
  EXPECT_EQ(model.shapes[1].shape.mesh, model.shapes[2].shape.mesh);
}

TEST_F(MeshFiles, ColladaUnitsApplyAndTheUpAxisIsReportedAndNotApplied) {
  write("pkg/urdf/mm.dae", collada("<unit name=\"mm\" meter=\"0.001\"/><up_axis>Y_UP</up_axis>"));
  const ModelDescription model = load("mm.dae");
  const std::vector<Eigen::Vector3d>& v = model.shapes[0].shape.mesh->vertices;
  ASSERT_EQ(v.size(), 3u);
  EXPECT_TRUE(v[2].isApprox(Eigen::Vector3d(0, 0, 0.003), 1e-6)) << v[2].transpose();
  EXPECT_TRUE(entry(model.report, "mesh-units", "0.001"));
  EXPECT_TRUE(entry(model.report, "mesh-up-axis", "Y_UP"));
  write("pkg/urdf/m.dae", collada("<unit name=\"meter\" meter=\"1\"/><up_axis>Z_UP</up_axis>"));
  const ModelDescription plain = load("m.dae");
  EXPECT_TRUE(plain.shapes[0].shape.mesh->vertices.at(2).isApprox(Eigen::Vector3d(0, 0, 3), 1e-6));
  EXPECT_FALSE(entry(plain.report, "mesh-units"));
  EXPECT_FALSE(entry(plain.report, "mesh-up-axis"));
}

TEST_F(MeshFiles, WhatIsNoMeshIsRefusedForCollisionAndReportedForVisuals) {
  for (const char* name : {"pkg/urdf/bad.stl", "pkg/urdf/bad.obj", "pkg/urdf/bad.dae", "pkg/urdf/bad.xyz"}) {
    write(name, "This is not a mesh.\n");
    const std::string uri = fs::path(name).filename().string();
    testing::internal::CaptureStderr();
    try {
      load(uri);
      ADD_FAILURE() << uri << " loads";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "mesh-unreadable") << error.what();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    if (uri != "bad.xyz") {
      EXPECT_TRUE(entry(load(uri, {}, "visual").report, "mesh-unreadable")) << uri;
    }
  }
  write("pkg/urdf/empty.stl", "");
  EXPECT_THROW(load("empty.stl"), Error);
}

TEST_F(MeshFiles, NothingOfTheReadersReachesTheErrorStream) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  read(one_link("<visual><geometry><torus/></geometry></visual><inertial><mass value=\"1\t\"/>" + unit_inertia +
                "</inertial>"));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ReadModel, SaysWhatItExpectsOfOtherFormats) {
  const fs::path folder = fs::path(CONDYLE_TEST_OUTPUT) / "read_model";
  fs::create_directories(folder);
  const auto code = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    LoadReport partial;
    try {
      read_model((folder / name).string(), {}, &partial);
      return std::string("loads");
    } catch (const Error& error) {
      EXPECT_FALSE(error.cure().empty()) << error.what();
      EXPECT_EQ(partial.entries.size(), 1u);
      return error.code() + (error.reason().find("MJCF") != std::string::npos ? " MJCF" : "");
    }
  };
  EXPECT_EQ(code("a.xml", "<!-- m --><mujoco model=\"x\"/>"), "unsupported-format MJCF");
  EXPECT_EQ(code("a.sdf", "<?xml version=\"1.0\"?><sdf version=\"1.6\"/>"), "unsupported-format");
  EXPECT_EQ(code("a.txt", "hello"), "unsupported-format");
  EXPECT_EQ(code("a.urdf.xacro", "<robot name=\"r\"/>"), "unsupported-format");
  EXPECT_EQ(code("a.xml", "<robot name=\"r\"><link name=\"a\"/></robot>"), "loads");
  EXPECT_EQ(code("a.URDF", "<robot name=\"r\"><link name=\"a\"/></robot>"), "loads");
  EXPECT_THROW(read_model((folder / "absent.urdf").string()), Error);
  EXPECT_THROW(read_model(folder.string()), Error);
}

}  // namespace
}  // namespace condyle
