#pragma once
// Declares pinocchio::Model and pinocchio::GeometryModel without their headers, which cost seconds per file.

namespace pinocchio {
template <typename Scalar, int Options>
struct JointCollectionDefaultTpl;
template <typename Scalar, int Options, template <typename S, int O> class JointCollectionTpl>
struct ModelTpl;
struct GeometryModel;
}  // namespace pinocchio

namespace condyle {
using PinocchioModel = pinocchio::ModelTpl<double, 0, pinocchio::JointCollectionDefaultTpl>;
}
